// What is spoken over the WebSocket of a command. Every frame is binary, and its first byte says what
// it is. Control is JSON: a client may send {"resize": {"cols", "rows"}} and {"eof": true}; the last
// frame it gets is {"exitCode": n}.

export const FRAME = { input: 0, stdout: 1, stderr: 2, control: 3 } as const;

/** A client sends keystrokes, or a file in pieces. */
export const MOST_FRAME_BYTES = 1_048_576;

export function frameOf(kind: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(kind), bytes]);
}

export function controlFrame(content: object): Buffer {
  return frameOf(FRAME.control, Buffer.from(JSON.stringify(content)));
}

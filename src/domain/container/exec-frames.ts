// The frames of an exec WebSocket. Every frame is binary; its first byte is its kind. Control frames are
// JSON: a client may send {"resize": {"cols", "rows"}} and {"eof": true}; the last frame that it
// receives is {"exitCode": n}.

export const FRAME = { input: 0, stdout: 1, stderr: 2, control: 3 } as const;

/** The largest frame that a client may send. */
export const MOST_FRAME_BYTES = 1_048_576;

export function frameOf(kind: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(kind), bytes]);
}

export function controlFrame(content: object): Buffer {
  return frameOf(FRAME.control, Buffer.from(JSON.stringify(content)));
}

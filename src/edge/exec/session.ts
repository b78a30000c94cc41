// What is spoken over the WebSocket of a command. Every frame is binary, and its first byte says what
// it is: 0 input (from the client), 1 output, 2 errors, 3 control, which is JSON. A client may send
// {"resize": {"cols", "rows"}} and {"eof": true}; the last frame it gets is {"exitCode": n}.

import type { RawData, WebSocket } from "ws";
import type { Execution } from "../../flows/pod/exec.ts";

const INPUT = 0;
const OUTPUT = { stdout: 1, stderr: 2 };
const CONTROL = 3;

const CLOSE = { done: 1000, going: 1001, wrong: 1002, broken: 1011 };

export async function serveExecution(
  client: WebSocket,
  execution: Execution,
  gone: AbortSignal,
): Promise<void> {
  const stop = () => client.close(CLOSE.going, "the service stops");
  gone.addEventListener("abort", stop, { once: true });
  client.on("error", () => {}); // its close follows
  client.on("message", (data, binary) => void take(client, execution, data, binary));
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  if (gone.aborted) stop();
  try {
    for await (const { output, bytes } of execution.output) {
      await send(client, OUTPUT[output], bytes);
    }
    const exitCode = await execution.exitCode();
    await send(client, CONTROL, Buffer.from(JSON.stringify({ exitCode })));
    client.close(CLOSE.done, exitCode === null ? "" : `exit ${exitCode}`);
  } catch {
    client.close(CLOSE.broken, "the machine does not answer");
  } finally {
    await closed;
    gone.removeEventListener("abort", stop);
  }
}

/** Resolves once the socket has taken it, so that no more is read than the client reads. */
function send(client: WebSocket, kind: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    client.send(Buffer.concat([Buffer.of(kind), bytes]), { binary: true }, () => resolve());
  });
}

async function take(
  client: WebSocket,
  execution: Execution,
  data: RawData,
  binary: boolean,
): Promise<void> {
  const frame = data as Buffer;
  if (!binary || frame.length === 0) return client.close(CLOSE.wrong, "frames are binary");
  const [kind] = frame;
  if (kind === INPUT) {
    // No more is read of the client than the command takes.
    client.pause();
    await execution.write(frame.subarray(1));
    return client.resume();
  }
  const order = kind === CONTROL ? readOrder(frame.subarray(1).toString()) : null;
  if (order === null) return client.close(CLOSE.wrong, "this frame is not understood");
  if (order.eof) execution.endInput();
  if (order.resize) await execution.resize(order.resize.cols, order.resize.rows);
}

interface Order {
  eof?: true;
  resize?: { cols: number; rows: number };
}

function readOrder(text: string): Order | null {
  try {
    const { eof, resize } = JSON.parse(text) as {
      eof?: unknown;
      resize?: Partial<Order["resize"]>;
    };
    if (eof === true) return { eof };
    const { cols = 0, rows = 0 } = resize ?? {};
    return isSize(cols) && isSize(rows) ? { resize: { cols, rows } } : null;
  } catch {
    return null;
  }
}

const isSize = (n: unknown) => Number.isInteger(n) && (n as number) > 0 && (n as number) <= 1_000;

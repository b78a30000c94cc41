// A command over a WebSocket, in the frames of domain/pod/exec-frames.ts.

import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { controlFrame, FRAME, frameOf, MOST_FRAME_BYTES } from "../../domain/pod/exec-frames.ts";
import type { Execution } from "../../flows/pod/exec.ts";
import { NOT_ADMITTED } from "../http/admission.ts";
import type { Upgrade } from "../http/listener.ts";

/** What is spoken; browsers offer it beside the key, as they can send no header. */
const PROTOCOL = "freehold.exec.v1";

const CLOSE = { done: 1000, going: 1001, wrong: 1002, barred: 1008, broken: 1011 };

export function executionServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
}

/** Makes it a WebSocket that is the command's input and output until one of them ends. */
export function becomeExecution(
  server: WebSocketServer,
  { request, socket, head }: Upgrade,
  execution: Execution,
  gone: AbortSignal,
): void {
  const end = () => execution.end().catch(() => {}); // a command whose engine is away ends with it
  if (socket.destroyed) return void end();
  socket.once("close", end);
  server.handleUpgrade(request, socket, head, (client) => {
    void serveExecution(client, execution, gone);
  });
}

async function serveExecution(
  client: WebSocket,
  execution: Execution,
  gone: AbortSignal,
): Promise<void> {
  const stop = () => {
    if (gone.reason !== NOT_ADMITTED) return client.close(CLOSE.going, "the service stops");
    client.close(CLOSE.barred, NOT_ADMITTED.message);
    // Not only once the client agrees that it is over.
    execution.end().catch(() => {});
  };
  gone.addEventListener("abort", stop, { once: true });
  client.on("error", () => {}); // its close follows
  client.on("message", (data, binary) => void take(client, execution, data, binary));
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  if (gone.aborted) stop();
  try {
    for await (const { output, bytes } of execution.output) {
      await send(client, frameOf(FRAME[output], bytes));
    }
    const exitCode = await execution.exitCode();
    await send(client, controlFrame({ exitCode }));
    client.close(CLOSE.done, exitCode === null ? "" : `exit ${exitCode}`);
  } catch {
    client.close(CLOSE.broken, "the machine does not answer");
  } finally {
    await closed;
    gone.removeEventListener("abort", stop);
  }
}

/** Resolves once the socket has taken it, so that no more is read than the client reads. */
function send(client: WebSocket, frame: Buffer): Promise<void> {
  return new Promise((resolve) => {
    client.send(frame, { binary: true }, () => resolve());
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
  if (kind === FRAME.input) {
    // No more is read of the client than the command takes.
    client.pause();
    await execution.write(frame.subarray(1));
    return client.resume();
  }
  const order = kind === FRAME.control ? readOrder(frame.subarray(1).toString()) : null;
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

// A command in a Pod over a WebSocket, in the frames of domain/container/exec-frames.ts.

import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { guarded } from "../../base/guarded.ts";
import {
  controlFrame,
  FRAME,
  frameOf,
  MOST_FRAME_BYTES,
} from "../../domain/container/exec-frames.ts";
import { ACCESS_REVOKED } from "../../flows/access-watch.ts";
import type { Execution } from "../../flows/pod/exec.ts";
import type { Upgrade } from "../http/listener.ts";

/** The subprotocol. Browsers cannot send headers, so they offer the key as a second subprotocol. */
const PROTOCOL = "freehold.exec.v1";

const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  policyViolation: 1008,
  internalError: 1011,
};

export function executionServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
}

/** Upgrades the connection to a WebSocket that carries the command's input and output until either ends. */
export function serveExecution(
  server: WebSocketServer,
  { request, socket, head }: Upgrade,
  execution: Execution,
  signal: AbortSignal,
): void {
  const end = () => execution.end().catch(() => {}); // an unreachable engine has ended its commands too
  if (socket.destroyed) return void end();
  socket.once("close", end);
  server.handleUpgrade(request, socket, head, (client) => {
    void pumpExecution(client, execution, signal);
  });
}

async function pumpExecution(
  client: WebSocket,
  execution: Execution,
  signal: AbortSignal,
): Promise<void> {
  const stop = () => {
    if (signal.reason !== ACCESS_REVOKED) return client.close(CLOSE.goingAway, "the service stops");
    client.close(CLOSE.policyViolation, "the key or session no longer has access");
    // Do not wait for the client to close the connection.
    execution.end().catch(() => {});
  };
  signal.addEventListener("abort", stop, { once: true });
  client.on("error", () => {}); // a close event follows
  client.on(
    "message",
    guarded("a terminal", (data, binary) => handleFrame(client, execution, data, binary)),
  );
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  if (signal.aborted) stop();
  try {
    for await (const { output, bytes } of execution.output) {
      await send(client, frameOf(FRAME[output], bytes));
    }
    const exitCode = await execution.exitCode();
    await send(client, controlFrame({ exitCode }));
    client.close(CLOSE.normal, exitCode === null ? "" : `exit ${exitCode}`);
  } catch {
    client.close(CLOSE.internalError, "the machine is unreachable");
  } finally {
    await closed;
    signal.removeEventListener("abort", stop);
  }
}

/** Resolves when the socket has taken the frame, so that output is read only as fast as the client reads. */
function send(client: WebSocket, frame: Buffer): Promise<void> {
  return new Promise((resolve) => {
    client.send(frame, { binary: true }, () => resolve());
  });
}

async function handleFrame(
  client: WebSocket,
  execution: Execution,
  data: RawData,
  binary: boolean,
): Promise<void> {
  const frame = data as Buffer;
  if (!binary || frame.length === 0) return client.close(CLOSE.protocolError, "frames are binary");
  const [kind] = frame;
  if (kind === FRAME.input) {
    // Input is read only as fast as the command takes it.
    client.pause();
    await execution.write(frame.subarray(1));
    return client.resume();
  }
  const message = kind === FRAME.control ? parseControl(frame.subarray(1).toString()) : null;
  if (message === null) return client.close(CLOSE.protocolError, "the frame is not valid");
  if (message.eof) execution.endInput();
  if (message.resize) await execution.resize(message.resize.cols, message.resize.rows);
}

interface ControlMessage {
  eof?: true;
  resize?: { cols: number; rows: number };
}

function parseControl(text: string): ControlMessage | null {
  try {
    const { eof, resize } = JSON.parse(text) as {
      eof?: unknown;
      resize?: Partial<ControlMessage["resize"]>;
    };
    if (eof === true) return { eof };
    const { cols = 0, rows = 0 } = resize ?? {};
    return isSize(cols) && isSize(rows) ? { resize: { cols, rows } } : null;
  } catch {
    return null;
  }
}

const isSize = (n: unknown) => Number.isInteger(n) && (n as number) > 0 && (n as number) <= 1_000;

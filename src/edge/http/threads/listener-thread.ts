// A listener thread: it accepts connections, reads them and writes them. What they carry is the main thread's business.

import { createServer, type Server, type Socket } from "node:net";
import { parentPort } from "node:worker_threads";
import { type FrameKind, FrameWriter, frame, readFrames } from "./frames.ts";
import {
  type ListenerCommand,
  type ListenerReply,
  MAX_AHEAD_BYTES,
  type OpenedConnection,
} from "./protocol.ts";

interface Connection {
  socket: Socket;
  /** Bytes that the main thread has not reported as taken. */
  aheadBytes: number;
}

const main = parentPort!;
const frames = new FrameWriter((message) => main.postMessage(message, [message]));
const connections = new Map<number, Connection>();
const servers = new Map<number, Server>();
let lastId = 0;
/** Called when the last connection has closed. */
let onceEmpty = (): void => {};

function accept(listener: number, socket: Socket): void {
  const id = ++lastId;
  const connection = { socket, aheadBytes: 0 };
  connections.set(id, connection);
  const { remoteAddress, remotePort } = socket;
  const opened: OpenedConnection = { listener, remoteAddress, remotePort };
  frames.add(id, frame.opened, JSON.stringify(opened));
  socket.on("data", (piece) => {
    frames.add(id, frame.data, piece);
    connection.aheadBytes += piece.length;
    if (connection.aheadBytes > MAX_AHEAD_BYTES) socket.pause();
  });
  socket.on("end", () => frames.add(id, frame.end));
  socket.on("error", () => {}); // a close event follows
  socket.on("close", () => {
    connections.delete(id);
    frames.add(id, frame.close);
    if (connections.size === 0) onceEmpty();
  });
}

function receive(id: number, kind: FrameKind, bytes: Buffer): void {
  const connection = connections.get(id);
  if (connection === undefined) return; // it has closed meanwhile
  const { socket } = connection;
  if (kind === frame.data) socket.write(bytes);
  else if (kind === frame.trackedData) socket.write(bytes, () => frames.add(id, frame.sent));
  else if (kind === frame.end) socket.end();
  else if (kind === frame.close) socket.destroy();
  else if (kind === frame.closeAfterData) socket.destroySoon();
  else if (kind === frame.taken) {
    connection.aheadBytes = 0;
    if (socket.isPaused()) socket.resume();
  }
}

const reply = (message: ListenerReply) => main.postMessage(message);

function run(command: ListenerCommand): void {
  if ("stop" in command) {
    const listener = command.stop;
    servers.get(listener)?.close();
    servers.delete(listener);
    reply({ listener, isDone: true });
    return;
  }
  if ("finish" in command) {
    onceEmpty = () => reply({ listener: command.finish, isDone: true });
    if (connections.size === 0) onceEmpty();
    return;
  }
  const { listen: listener, ...at } = command;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    accept(listener, socket),
  );
  server.on("error", ({ code, message }: NodeJS.ErrnoException) =>
    reply({ listener, error: { code, message } }),
  );
  server.listen(at, () => {
    servers.set(listener, server);
    reply({ listener, address: server.address() as never });
  });
}

main.on("message", (message: ArrayBuffer | ListenerCommand) => {
  if (message instanceof ArrayBuffer) readFrames(message, receive);
  else run(message);
});

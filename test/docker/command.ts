// A client that runs a command in a Pod over a WebSocket.

import assert from "node:assert/strict";
import { WebSocket } from "ws";

export interface Command {
  socket: WebSocket;
  /** By the kind of their frames. */
  texts: Record<number, string>;
  closed: Promise<[code: number, reason: string]>;
  send(kind: number, text: string): void;
}

export function commandAddress(origin: string, pod: string, ...command: string[]): string {
  const query = command.map((each) => `command=${encodeURIComponent(each)}`).join("&");
  return `${origin.replace("http", "ws")}/v1/pods/${pod}/exec?${query}`;
}

/** Rejects if the command is refused. */
export async function openCommand(url: string, key: string): Promise<Command> {
  const socket = new WebSocket(url, ["freehold.exec.v1", `bearer.${key}`]);
  const texts: Command["texts"] = { 1: "", 2: "", 3: "" };
  socket.on("message", (data) => {
    const frame = data as Buffer;
    texts[frame[0]!] += frame.subarray(1).toString();
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.once("close", (code, reason) => resolve([code, reason.toString()]));
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  assert.equal(socket.protocol, "freehold.exec.v1");
  const send = (kind: number, text: string) =>
    socket.send(Buffer.concat([Buffer.of(kind), Buffer.from(text)]));
  return { socket, texts, closed, send };
}

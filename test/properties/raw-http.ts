// HTTP as bytes on a socket, for requests that no client library sends.

import { connect } from "node:net";

export interface Reply {
  status: number;
  headers: Map<string, string>;
  body: string;
}

export interface RawRequest {
  method: string;
  /** The target of the request line, encoded or not. */
  target: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** A well-formed request as bytes; only its content may be invalid. */
export function bytesOf({ method, target, headers = {}, body }: RawRequest): Buffer {
  const content = body === undefined ? null : Buffer.from(body);
  const all: Record<string, string> = {
    host: "127.0.0.1",
    ...(content && { "content-length": String(content.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return content ? Buffer.concat([head, content]) : head;
}

/** Longer than any rejection takes; a request without a response by then is being held. */
const PATIENCE_MS = 60_000;

/** Sends the bytes on a new connection; null if no complete response arrives. */
export function exchange(port: number, bytes: Buffer): Promise<Reply | null> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const retryDeadline = setTimeout(() => settle(null), PATIENCE_MS);
    const settle = (reply: Reply | null) => {
      clearTimeout(retryDeadline);
      socket.destroy();
      resolve(reply);
    };
    socket.on("data", (part) => {
      received = Buffer.concat([received, part]);
      const reply = replyOf(received);
      if (reply) settle(reply);
    });
    // A server that rejects a body early may reset the connection, but its response has arrived by
    // then.
    socket.on("error", () => settle(replyOf(received)));
    socket.on("end", () => settle(replyOf(received)));
  });
}

/** Sends the bytes and closes without waiting. */
export function breakOff(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(bytes, () => socket.destroy());
    });
    socket.on("close", () => resolve());
  });
}

/** The response, once it is complete. */
function replyOf(received: Buffer): Reply | null {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [first, ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(first!.split(" ")[1]);
  if (status === 100) return replyOf(received.subarray(end + 4));
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const length = Number(headers.get("content-length") ?? 0);
  const body = received.subarray(end + 4);
  return body.length < length ? null : { status, headers, body: body.toString("utf8", 0, length) };
}

// A keep-alive HTTP/1.1 connection over a bare socket: one request at a time, one static read buffer, no header
// objects. A costlier client would hide the differences between the servers that the load generator measures.
import { connect, type Socket } from "node:net";

export interface Reply {
  status: number;
  body: string;
}

/** The text of a request; `body` must be ASCII, since its length is counted in characters. */
export function requestText(
  method: string,
  path: string,
  key: string,
  body?: string,
  contentType = "application/json",
): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

export class Connection {
  #socket: Socket;
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #partial = "";
  #waiting: PromiseWithResolvers<Reply> | undefined;
  #closed = false;

  private constructor(port: number) {
    this.#socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: {
        buffer: this.#buffer,
        callback: (bytes) => {
          this.#receive(bytes);
          return true;
        },
      },
    });
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the server closed the connection")));
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await new Promise<void>((resolve, reject) => {
      connection.#socket.once("connect", resolve);
      connection.#socket.once("error", reject);
    });
    return connection;
  }

  /** Sends one request text and resolves with the reply; rejects if the connection ends first. */
  send(text: string): Promise<Reply> {
    if (this.#waiting) throw new Error("a request is already under way");
    const waiting = Promise.withResolvers<Reply>();
    this.#waiting = waiting;
    this.#socket.write(text, "latin1");
    return waiting.promise;
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #receive(bytes: number): void {
    const text = this.#partial + this.#buffer.toString("latin1", 0, bytes);
    const headEnd = text.indexOf("\r\n\r\n");
    if (headEnd < 0) {
      this.#partial = text;
      return;
    }
    const status = Number(text.slice(9, 12));
    const end = headEnd + 4 + bodyLength(text, headEnd, status);
    if (text.length < end) {
      this.#partial = text;
      return;
    }
    this.#partial = "";
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status, body: text.slice(headEnd + 4, end) });
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting?.reject(error);
  }
}

function bodyLength(text: string, headEnd: number, status: number): number {
  if (status === 204) return 0;
  let at = text.indexOf("content-length: ");
  if (at < 0) at = text.indexOf("Content-Length: ");
  if (at < 0 || at > headEnd)
    throw new Error(`a reply without a length: ${text.slice(0, headEnd)}`);
  return Number.parseInt(text.slice(at + 16, at + 28), 10);
}

// A request in its plain form, read from the bytes of a connection. It is read more strictly than RFC 9112 requires:
// anything unusual is null, and Node's parser decides about it.

import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { InboundRequest } from "./exchange.ts";
import { type PlainFields, readPlainFields } from "./plain-fields.ts";

/** Half of what Node's parser accepts. */
export const MAX_HEAD_BYTES = 8_192;
/** A larger request is not waited for. */
export const MAX_REQUEST_BYTES = 65_536;

const REQUEST_LINE =
  /^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) (\/[!$%&'()*+,\-./\d:;=?@A-Z[\]_a-z~]*) HTTP\/1\.1\r\n/;
const LENGTH = /^\d{1,6}$/;
const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS"]);

export class PlainRequest implements InboundRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion = "1.1";
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly rawHeaders: readonly string[];
  readonly rawTrailers: string[] = [];
  readonly socket: Socket;
  /** Whether the client may send another one on the connection. */
  readonly isKept: boolean;
  #body: Buffer | null;
  #state: "waiting" | "read" | "ended" = "waiting";
  #isPaused = true;
  #onData: ((piece: Buffer) => void)[] = [];
  #onEnd: (() => void)[] = [];

  constructor(head: PlainHead, body: Buffer | null, socket: Socket) {
    this.method = head.method;
    this.url = head.url;
    this.headers = head.headers;
    this.rawHeaders = head.rawHeaders;
    this.isKept = head.headers.connection?.toLowerCase() !== "close";
    this.socket = socket;
    this.#body = body;
  }

  read(): Buffer | null {
    const body = this.#body;
    this.#body = null;
    return body;
  }

  pause(): this {
    this.#isPaused = true;
    return this;
  }

  resume(): this {
    this.#isPaused = false;
    if (this.#state === "waiting") {
      this.#state = "read";
      const rest = this.read();
      if (rest !== null) for (const listener of this.#onData) listener(rest);
    }
    if (this.#state === "read" && !this.#isPaused) {
      this.#state = "ended";
      for (const listener of this.#onEnd) listener();
    }
    return this;
  }

  /** Its body is complete, so reading it cannot fail. */
  on(event: "data", listener: (piece: Buffer) => void): this;
  on(event: "end" | "error", listener: () => void): this;
  on(event: "data" | "end" | "error", listener: (piece: Buffer) => void): this {
    if (event === "data") this.#onData.push(listener);
    else if (event === "end") this.#onEnd.push(listener as () => void);
    return this;
  }
}

export interface PlainHead extends PlainFields {
  method: string;
  url: string;
  /** The length of the head and its body. */
  bytes: number;
  bodyBytes: number;
}

/** The head at the beginning of the bytes; null if it is not complete or not plain. */
export function readPlainHead(bytes: Buffer): PlainHead | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1 || end + 4 > MAX_HEAD_BYTES) return null;
  const text = bytes.toString("latin1", 0, end + 2);
  const line = REQUEST_LINE.exec(text);
  if (line === null) return null;
  const fields = readPlainFields(text.slice(line[0].length));
  if (fields === null) return null;
  const { headers, rawHeaders } = fields;
  const method = line[1]!;
  const bodyBytes = bodyBytesOf(method, headers);
  if (bodyBytes === null) return null;
  return { method, url: line[2]!, headers, rawHeaders, bytes: end + 4 + bodyBytes, bodyBytes };
}

function bodyBytesOf(method: string, headers: Readonly<IncomingHttpHeaders>): number | null {
  const length = headers["content-length"];
  if (length === undefined) return 0;
  if (!LENGTH.test(length) || WITHOUT_BODY.has(method)) return null;
  return Number(length);
}

// A plain request to a route, and its reply.

import type { IncomingHttpHeaders } from "node:http";
import { parse } from "node:querystring";
import { Readable } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import { systemTicks } from "../../../base/clock.ts";
import type { TracedRequest } from "../../../domain/trace/request-span.ts";
import type { Principal } from "../../../flows/auth-cache.ts";
import { JSON_HEADERS, JSON_TYPE } from "../json-headers.ts";
import type { InboundRequest, ResponseWriter } from "../plain/exchange.ts";
import type { HeldBytes } from "../request/body-room.ts";
import type { Route, RouteReply, RouteRequest } from "../request/route.ts";

export class PlainCall implements RouteRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly routeOptions: { url: string; config: Route["config"] };
  readonly log: FastifyBaseLogger;
  readonly raw: InboundRequest;
  body: unknown = undefined;
  principal: Principal | null = null;
  bearer = false;
  heldBytes: HeldBytes | null = null;
  isHandled = false;
  traced: TracedRequest | null = null;
  #query: unknown;

  constructor(
    raw: InboundRequest,
    { route, url, params }: { route: Route; url: string; params: Record<string, string> },
    { id, log }: { id: string; log: FastifyBaseLogger },
  ) {
    this.id = id;
    this.method = route.method;
    this.url = url;
    this.headers = raw.headers;
    this.params = params;
    this.routeOptions = { url: route.path, config: route.config };
    this.log = log;
    this.raw = raw;
  }

  get query(): unknown {
    if (this.#query === undefined) {
      const question = this.url.indexOf("?");
      this.#query = question === -1 ? {} : parse(this.url.slice(question + 1));
    }
    return this.#query;
  }
}

const FIRST_HEADERS: readonly string[] = Object.entries(JSON_HEADERS).flat();

export class PlainReply implements RouteReply {
  readonly raw: ResponseWriter;
  statusCode = 200;
  readonly #startedAt = systemTicks();
  /** A flat list of names and values, as the writer takes it. */
  readonly #headers = [...FIRST_HEADERS];

  constructor(raw: ResponseWriter) {
    this.raw = raw;
  }

  get elapsedTime(): number {
    return systemTicks() - this.#startedAt;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  header(name: string, value: string | number): this {
    const headers = this.#headers;
    let at = 0;
    while (at < headers.length && headers[at] !== name) at += 2;
    headers[at] = name;
    headers[at + 1] = String(value);
    return this;
  }

  headers(headers: Readonly<Record<string, string>>): this {
    for (const [name, value] of Object.entries(headers)) this.header(name, value);
    return this;
  }

  type(contentType: string): this {
    return this.header("content-type", contentType);
  }

  send(payload?: string | Readable): this {
    if (payload instanceof Readable) {
      this.#writeHead();
      void this.#pipe(payload);
      return this;
    }
    const text = payload ?? "";
    const bytes = Buffer.byteLength(text);
    if (this.statusCode !== 204) this.header("content-length", bytes);
    this.#writeHead();
    if (bytes === text.length) this.raw.end(text, "latin1");
    else this.raw.end(text);
    return this;
  }

  /** Sends what a handler has returned, unless it has sent the reply itself. */
  sendResult(result: unknown): void {
    if (result !== this) this.type(JSON_TYPE).send(JSON.stringify(result));
  }

  #writeHead(): void {
    this.raw.writeHead(this.statusCode, undefined, this.#headers);
  }

  /** A reader that fails ends the connection, because a part has been sent. */
  async #pipe(payload: Readable): Promise<void> {
    const { raw } = this;
    const closed = new Promise<void>((resolve) => raw.once("close", resolve));
    void closed.then(() => payload.destroy());
    try {
      for await (const piece of payload as AsyncIterable<Uint8Array>) {
        const hasRoom = raw.write(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
        const drained = () => new Promise<void>((resolve) => raw.once("drain", resolve));
        if (!hasRoom) await Promise.race([drained(), closed]);
      }
      raw.end();
    } catch {
      raw.destroy();
    }
  }
}

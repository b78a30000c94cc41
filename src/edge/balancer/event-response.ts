// A response that becomes events, for a caller that must not receive it as its own.

import { PassThrough } from "node:stream";
import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";
import type { ResponseEvent } from "../management/endpoint/endpoint-call.ts";
import { headerPairs } from "../proxy/headers.ts";

/** Pieces that are held before the worker has to wait. */
const MAX_PIECES = 16;

export class EventResponse implements ResponseWriter {
  readonly req: InboundRequest;
  readonly socket = null;
  headersSent = false;
  readonly #events = new PassThrough({ objectMode: true, highWaterMark: MAX_PIECES });

  constructor(request: InboundRequest) {
    this.req = request;
  }

  /** Ends when the response has, or with an error event if it was cut off. */
  async *events(): AsyncGenerator<ResponseEvent> {
    try {
      yield* this.#events as AsyncIterable<ResponseEvent>;
    } catch {
      const message = this.headersSent
        ? "The response was cut off before its end."
        : "The connection was closed without a response.";
      yield { type: "error", message };
    }
  }

  get destroyed(): boolean {
    return this.#events.destroyed;
  }

  get writableEnded(): boolean {
    return this.#events.writableEnded;
  }

  get writableFinished(): boolean {
    return this.#events.writableFinished;
  }

  get writableLength(): number {
    return this.#events.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.#events.writableNeedDrain;
  }

  writeHead(status: number, _message: string | undefined, flat: string[]): void {
    this.headersSent = true;
    this.#add({ type: "response", status, headers: headerPairs(flat) });
  }

  write(piece: Buffer): boolean {
    return this.#add({ type: "data", piece: Buffer.from(piece) });
  }

  end(piece?: Buffer | string, encoding: BufferEncoding = "utf8"): void {
    if (this.destroyed || this.writableEnded) return;
    const last = typeof piece === "string" ? Buffer.from(piece, encoding) : piece;
    if (last !== undefined && last.length > 0) this.write(last);
    this.#events.end({ type: "end" } satisfies ResponseEvent);
  }

  destroy(): void {
    this.#events.destroy();
  }

  on(event: "close" | "drain", listener: () => void): void {
    this.#events.on(event, listener);
  }

  once(event: "close" | "drain", listener: () => void): void {
    this.#events.once(event, listener);
  }

  writeContinue(): void {}

  flushHeaders(): void {}

  addTrailers(): void {}

  #add(event: ResponseEvent): boolean {
    return this.destroyed || this.#events.write(event);
  }
}

// The minimum rate of request bodies. A client that stops in the middle of a body would otherwise hold
// its connection, and the part that has arrived, forever.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../../base/clock.ts";
import { Fault } from "../../../domain/fault.ts";
import { endWithFault } from "../socket-fault.ts";

export interface BodyRate {
  /** Each period of this length must bring `bytesPerS` on average. */
  periodMs: number;
  bytesPerS: number;
}

/** A body that has not arrived completely. */
interface Arriving {
  request: IncomingMessage;
  response: ServerResponse;
  /** What the socket had read when this period began, and how long the client was waited for in it. */
  bytesBefore: number;
  waitedMs: number;
}

const TICK_MS = 1_000;

/** Whether the request has a body that is not complete. */
export function isArriving({ headers, complete }: IncomingMessage): boolean {
  const hasBody =
    headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
  return hasBody && !complete;
}

export class BodyProgress {
  readonly #clock: Clock;
  readonly #rate: BodyRate;
  readonly #arriving = new Set<Arriving>();
  #isTicking = false;

  constructor(clock: Clock, rate: BodyRate) {
    this.#clock = clock;
    this.#rate = rate;
  }

  /** Watches an arriving request until its body is complete, and ends its connection if it is too slow. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const arriving = { request, response, bytesBefore: request.socket.bytesRead, waitedMs: 0 };
    this.#arriving.add(arriving);
    request.once("end", () => this.#arriving.delete(arriving));
    if (!this.#isTicking) this.#schedule();
  }

  #schedule(): void {
    this.#isTicking = true;
    this.#clock.after(TICK_MS, () => {
      for (const each of this.#arriving) this.#check(each);
      this.#isTicking = false;
      if (this.#arriving.size > 0) this.#schedule();
    });
  }

  #check(arriving: Arriving): void {
    const { request } = arriving;
    if (request.complete || request.socket.destroyed) return void this.#arriving.delete(arriving);
    // A full buffer waits for this service, not for the client.
    if (request.readableLength >= request.readableHighWaterMark) return;
    arriving.waitedMs += TICK_MS;
    const { periodMs, bytesPerS } = this.#rate;
    if (arriving.waitedMs < periodMs) return;
    const bytes = request.socket.bytesRead - arriving.bytesBefore;
    arriving.bytesBefore += bytes;
    arriving.waitedMs = 0;
    if (bytes >= (bytesPerS * periodMs) / 1_000) return;
    this.#arriving.delete(arriving);
    end(arriving);
  }
}

function end({ request: { socket }, response }: Arriving): void {
  if (response.headersSent) return void socket.destroy();
  endWithFault(socket, new Fault("request_timeout"));
  socket.destroySoon();
}

// One request to a load-balancing endpoint on its way: its worker, and the times of its answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { systemTicks } from "../../base/clock.ts";
import type { ServingMetrics } from "../../flows/metrics/serving-metrics.ts";
import type { Lease } from "../../flows/serving/dispatcher.ts";

/** Without a reason, each abort makes an error with a stack. */
const ENDED = "the call has ended";

export class Call {
  /** The word of Flash until the endpoint of the function is known. */
  endpointId: string;
  readonly request: IncomingMessage;
  /** Whether the client is gone or has its answer. */
  isOver = false;
  #ended: AbortController | null = null;
  readonly #atEnd: (() => void)[] = [];
  readonly #metrics: ServingMetrics;
  readonly #begunAt = systemTicks();
  #firstByteMs: number | null = null;
  #status: number | null = null;
  #lease: Lease | null = null;

  /** `until` is the answer, or the socket of an upgrade. */
  constructor(
    endpointId: string,
    request: IncomingMessage,
    until: ServerResponse | Duplex,
    metrics: ServingMetrics,
  ) {
    this.endpointId = endpointId;
    this.request = request;
    this.#metrics = metrics;
    until.once("close", () => this.#end());
  }

  /** Aborts when the call is over. Few calls need it, and it costs more than the rest of this object. */
  get signal(): AbortSignal {
    this.#ended ??= new AbortController();
    if (this.isOver) this.#ended.abort(ENDED);
    return this.#ended.signal;
  }

  /** Calls back when the call is over. */
  atEnd(callback: () => void): void {
    if (this.isOver) callback();
    else this.#atEnd.push(callback);
  }

  /** The call's worker from now on; an earlier one did not answer. */
  take(lease: Lease): void {
    this.#lease?.release(false);
    this.#lease = lease;
    if (this.isOver) lease.release(false);
  }

  answered(status: number): void {
    this.#status = status;
    this.#firstByteMs ??= systemTicks() - this.#begunAt;
  }

  #end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#ended?.abort(ENDED);
    for (const callback of this.#atEnd) callback();
    this.#lease?.release(this.#firstByteMs !== null);
    this.#metrics.record({
      endpointId: this.endpointId,
      status: this.#status,
      ms: systemTicks() - this.#begunAt,
      firstByteMs: this.#firstByteMs,
    });
  }
}

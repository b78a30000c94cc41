// Rate limits per API key. Each replica counts in memory and allows its share of a limit, so that no
// request waits for the store.

import type { Clock } from "../base/clock.ts";
import type { Endpoint } from "../domain/endpoint/endpoint.ts";
import { isFull, type LimitName, type Limits, shareOf, WINDOW_MS } from "../domain/rate/limits.ts";
import { admit, type RateWindow } from "../domain/rate/window.ts";
import type { Store } from "../store/engine/store.ts";
import { jobCounts } from "../store/job/load.ts";
import { liveWorkers } from "../store/worker/worker.ts";

export interface RateLimitSubject {
  name: LimitName;
  keyId: string;
  /** The request's endpoint, if it has one; limits are counted per endpoint. */
  endpointId: string | null;
}

export interface RateLimitResult {
  /** Requests allowed in a window, and requests left. */
  limit: number;
  left: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
  /** The reason and the wait of a refused request; null if it is allowed. */
  refused: { detail: string; waitMs: number } | null;
  /** Must be called when the request is answered. */
  release(): void;
}

interface RateLimitDeps {
  store: Store;
  clock: Clock;
  limits: Limits;
  /** How many replicas share the requests. */
  replicas: () => number;
}

export class RateLimits {
  readonly limits: Limits;
  readonly #deps: RateLimitDeps;
  readonly #windows = new Map<string, RateWindow>();
  readonly #answering = new Map<string, number>();
  #pruneAt = 0;

  constructor(deps: RateLimitDeps) {
    this.limits = deps.limits;
    this.#deps = deps;
  }

  /** Null if no limit applies. Asynchronous only if the limit depends on the number of workers. */
  count(subject: RateLimitSubject): RateLimitResult | Promise<RateLimitResult> | null {
    const limit = this.limits.of[subject.name];
    if (!limit) return null;
    const { endpointId } = subject;
    const replicas = this.#deps.replicas();
    const result = this.#step(subject, shareOf(limit.requests, replicas), replicas);
    const { perWorker } = limit;
    if (result.refused === null || !perWorker || endpointId === null) return result;
    return this.#workers(endpointId).then((running) => {
      const more = shareOf(Math.max(limit.requests, running * perWorker), replicas);
      return more > result.limit ? this.#step(subject, more, replicas) : result;
    });
  }

  /** The number of waiting jobs if the queue is full, else null. */
  async waitingInFull({ id, spec }: Pick<Endpoint, "id" | "spec">): Promise<number | null> {
    if (this.limits.queue === null) return null;
    const { inQueue: waiting } = await this.#deps.store.read(jobCounts, id);
    return isFull(this.limits, Number(waiting), spec.workersMax) ? Number(waiting) : null;
  }

  #step(
    { name, keyId, endpointId }: RateLimitSubject,
    limit: number,
    replicas: number,
  ): RateLimitResult {
    const now = Math.floor(this.#deps.clock.ticks());
    this.#prune(now);
    const id = `${name} ${keyId} ${endpointId ?? ""}`;
    const { concurrent } = this.limits.of[name]!;
    const busy = this.#answering.get(id) ?? 0;
    const nothing = { limit: limit, left: 0, resetMs: WINDOW_MS - (now % WINDOW_MS), release() {} };
    const atOnce = concurrent === undefined ? null : shareOf(concurrent, replicas);
    if (atOnce !== null && busy >= atOnce) {
      const detail = `this key may have ${atOnce} for "${name}" answered at a time`;
      return { ...nothing, refused: { detail, waitMs: 1_000 } };
    }
    const { window, left, waitMs } = admit(this.#windows.get(id), limit, WINDOW_MS, now);
    this.#windows.set(id, window);
    if (waitMs !== null) {
      const detail = `this key may send ${limit} for "${name}" in ${WINDOW_MS / 1_000} s`;
      return { ...nothing, refused: { detail, waitMs } };
    }
    this.#answering.set(id, busy + 1);
    return { ...nothing, left, refused: null, release: () => this.#release(id) };
  }

  #release(id: string): void {
    const busy = this.#answering.get(id) ?? 1;
    if (busy > 1) this.#answering.set(id, busy - 1);
    else this.#answering.delete(id);
  }

  /** Drops windows that have passed. */
  #prune(now: number): void {
    if (now < this.#pruneAt) return;
    this.#pruneAt = now + WINDOW_MS;
    for (const [id, { start }] of this.#windows) {
      if (start < now - 2 * WINDOW_MS) this.#windows.delete(id);
    }
  }

  async #workers(endpointId: string): Promise<number> {
    const live = await this.#deps.store.read(liveWorkers, endpointId);
    return live.filter(({ readyAt }) => readyAt !== null).length;
  }
}

// Counts who asks how often. Each replica counts for itself and allows its share, so that no request
// waits for the store to be counted.

import type { Clock } from "../base/clock.ts";
import type { Endpoint } from "../domain/endpoint/endpoint.ts";
import { isFull, type LimitName, type Limits, shareOf, WINDOW_MS } from "../domain/rate/limits.ts";
import { admit, type Window } from "../domain/rate/window.ts";
import { tallyOf } from "../store/job/load.ts";
import type { Store } from "../store/store.ts";
import { liveWorkers } from "../store/worker/worker.ts";

export interface Asking {
  name: LimitName;
  keyId: string;
  /** Where it is about one; limits are counted for each. */
  endpointId: string | null;
}

export interface Counted {
  /** Allowed in a window, and left of it. */
  most: number;
  left: number;
  /** When this window ends, in ms. */
  resetMs: number;
  /** Why it is refused, and for how long; null where it may go on. */
  refused: { detail: string; waitMs: number } | null;
  /** Must be called once it is answered. */
  release(): void;
}

interface Deps {
  store: Store;
  clock: Clock;
  limits: Limits;
  /** How many replicas share the requests. */
  replicas: () => number;
}

export class RateLimits {
  readonly limits: Limits;
  readonly #deps: Deps;
  readonly #windows = new Map<string, Window>();
  readonly #answering = new Map<string, number>();
  #pruneAt = 0;

  constructor(deps: Deps) {
    this.limits = deps.limits;
    this.#deps = deps;
  }

  /** Null where nothing limits it; at once unless it has to be seen how many workers run. */
  count(asking: Asking): Counted | Promise<Counted> | null {
    const limit = this.limits.of[asking.name];
    if (!limit) return null;
    const { endpointId } = asking;
    const replicas = this.#deps.replicas();
    const counted = this.#step(asking, shareOf(limit.requests, replicas), replicas);
    const { perWorker } = limit;
    if (counted.refused === null || !perWorker || endpointId === null) return counted;
    return this.#workers(endpointId).then((running) => {
      const more = shareOf(Math.max(limit.requests, running * perWorker), replicas);
      return more > counted.most ? this.#step(asking, more, replicas) : counted;
    });
  }

  /** How many wait in a queue that takes no more; null where it takes one. */
  async waitingInFull({ id, spec }: Pick<Endpoint, "id" | "spec">): Promise<number | null> {
    if (this.limits.queue === null) return null;
    const { in_queue: waiting } = await this.#deps.store.read(tallyOf, id);
    return isFull(this.limits, Number(waiting), spec.workersMax) ? Number(waiting) : null;
  }

  #step({ name, keyId, endpointId }: Asking, most: number, replicas: number): Counted {
    const now = this.#deps.clock.now();
    this.#prune(now);
    const id = `${name} ${keyId} ${endpointId ?? ""}`;
    const { concurrent } = this.limits.of[name]!;
    const busy = this.#answering.get(id) ?? 0;
    const nothing = { most, left: 0, resetMs: WINDOW_MS - (now % WINDOW_MS), release() {} };
    const atOnce = concurrent === undefined ? null : shareOf(concurrent, replicas);
    if (atOnce !== null && busy >= atOnce) {
      const detail = `this key may have ${atOnce} for "${name}" answered at a time`;
      return { ...nothing, refused: { detail, waitMs: 1_000 } };
    }
    const { window, left, waitMs } = admit(this.#windows.get(id), most, WINDOW_MS, now);
    this.#windows.set(id, window);
    if (waitMs !== null) {
      const detail = `this key may send ${most} for "${name}" in ${WINDOW_MS / 1_000} s`;
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

  /** What has slid out altogether need not be remembered. */
  #prune(now: number): void {
    if (now < this.#pruneAt) return;
    this.#pruneAt = now + WINDOW_MS;
    for (const [id, { start }] of this.#windows) {
      if (start < now - 2 * WINDOW_MS) this.#windows.delete(id);
    }
  }

  async #workers(endpointId: string): Promise<number> {
    const live = await this.#deps.store.read(liveWorkers, endpointId);
    return live.filter(({ ready_at: readyAt }) => readyAt !== null).length;
  }
}

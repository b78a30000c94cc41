// How long a batch waits for further calls. Callers that were answered together come back one after another, each as soon
// as it has read its answer. A commit costs as much for one of them as for all, so a batch waits as long as it pays.

import { systemTicks } from "../../base/clock.ts";

/** No batch waits longer. */
const MAX_WAIT_MS = 0.3;
/** Nor longer than this while nothing arrives. */
const MAX_IDLE_MS = 0.1;
/** A pass of the event loop this short has brought nothing. */
const IDLE_PASS_MS = 0.02;
/** One batch in so many waits for more calls than expected, and shows how many come. */
const PROBE_EVERY = { min: 16, max: 128 };
/** Probes that miss a caller now and then do not lower the number of calls that a batch waits for. */
const MARGIN = 0.2;
/** The weight of a batch that waited in vain, or of a probe, in the moving average. */
const WEIGHT = 1 / 4;

export class Gathering {
  /** How many calls come while a batch may wait: a moving average. */
  #expected = 1;
  #probeEvery = PROBE_EVERY.min;
  #batches = 0;
  readonly #ticks: () => number;

  constructor(ticks = systemTicks) {
    this.#ticks = ticks;
  }

  /** Waits for the calls of one batch; `count` returns how many there are. */
  async gather(count: () => number): Promise<void> {
    // Requests that are read from their sockets in this pass of the event loop join the batch.
    await nextPass();
    const probes = ++this.#batches >= this.#probeEvery;
    const wanted = probes ? Number.POSITIVE_INFINITY : Math.ceil(this.#expected - MARGIN);
    if (count() >= wanted) return;
    await this.#waitFor(() => count() >= wanted);
    if (count() < wanted) this.#record(count());
  }

  async #waitFor(isReached: () => boolean): Promise<void> {
    const startedAt = this.#ticks();
    let [now, idleMs] = [startedAt, 0];
    while (!isReached() && now - startedAt < MAX_WAIT_MS && idleMs < MAX_IDLE_MS) {
      await nextPass();
      const passMs = this.#ticks() - now;
      if (passMs < IDLE_PASS_MS) idleMs += passMs;
      now += passMs;
    }
  }

  /** Without other callers, probes become rare. */
  #record(calls: number): void {
    this.#batches = 0;
    this.#expected += (calls - this.#expected) * WEIGHT;
    this.#probeEvery =
      calls > 1 ? PROBE_EVERY.min : Math.min(this.#probeEvery * 2, PROBE_EVERY.max);
  }
}

const nextPass = () => new Promise<void>((resolve) => setImmediate(resolve));

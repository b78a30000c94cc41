// The recent resource usage of a machine's workloads and of itself, in memory only. It fills again within a minute
// after a restart; for a longer history, scrape the metrics.

import { HOUR_MS } from "../../base/units.ts";
import type { Sample } from "../../domain/usage/sample.ts";

/** One hour at a sample every ten seconds. */
const MAX_SAMPLES = 360;

/** How long samples of an ended workload are available. */
const RETENTION_MS = HOUR_MS;

export class UsageHistory<Each extends { at: number } = Sample> {
  readonly #samples = new Map<string, Each[]>();

  note(id: string, sample: Each): void {
    const samples = this.#samples.get(id) ?? [];
    samples.push(sample);
    if (samples.length > MAX_SAMPLES) samples.shift();
    this.#samples.set(id, samples);
  }

  /** Drops workloads without recent samples. */
  tidy(now: number): void {
    for (const [id, samples] of this.#samples) {
      if (samples.at(-1)!.at < now - RETENTION_MS) this.#samples.delete(id);
    }
  }

  /** The samples of a workload, oldest first. */
  of(id: string): Each[] {
    return [...(this.#samples.get(id) ?? [])];
  }

  latestOf(id: string): Each | undefined {
    return this.#samples.get(id)?.at(-1);
  }

  latest(): Record<string, Each> {
    return Object.fromEntries([...this.#samples].map(([id, samples]) => [id, samples.at(-1)!]));
  }
}

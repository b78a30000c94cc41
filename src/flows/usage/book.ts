// What the workloads of this machine used lately. It is kept in memory only: who needs a longer memory
// scrapes it, and after a restart it fills again within a minute.

import type { Sample } from "../../domain/usage/sample.ts";

/** An hour at one look every ten seconds. */
const MOST_SAMPLES = 360;

/** What ended can be looked at for so long. */
const KEPT_MS = 3_600_000;

export class UsageBook {
  readonly #samples = new Map<string, Sample[]>();

  note(id: string, sample: Sample): void {
    const samples = this.#samples.get(id) ?? [];
    samples.push(sample);
    if (samples.length > MOST_SAMPLES) samples.shift();
    this.#samples.set(id, samples);
  }

  /** Drops what was not seen for a long time. */
  tidy(now: number): void {
    for (const [id, samples] of this.#samples) {
      if (samples.at(-1)!.at < now - KEPT_MS) this.#samples.delete(id);
    }
  }

  /** The oldest first. */
  of(id: string): Sample[] {
    return [...(this.#samples.get(id) ?? [])];
  }

  latest(): Record<string, Sample> {
    return Object.fromEntries([...this.#samples].map(([id, samples]) => [id, samples.at(-1)!]));
  }
}

// What the transactions of a batch want to admit: keys of held jobs. At the end of the batch each touched key is
// locked once, in an order that all replicas share: concurrency keys first, because a job that gets a slot may
// then wait for its rate limit.

import type { Concurrency } from "../../../domain/job/schedule/concurrency.ts";
import type { RateLimit } from "../../../domain/job/schedule/rate-limit.ts";
import { type Accumulator, accumulate } from "../../../store/engine/accumulator.ts";
import { type Tx, together } from "../../../store/engine/statement.ts";
import { admitByKey } from "./admit-by-key.ts";
import { admitByRate } from "./admit-by-rate.ts";
import { type Touch, Touches } from "./touches.ts";

type Entry =
  | { kind: "concurrency"; touch: Touch<Concurrency> }
  | { kind: "rate"; touch: Touch<RateLimit> };

class Admissions implements Accumulator<Entry> {
  readonly #keys = new Touches<Concurrency>();
  readonly #rates = new Touches<RateLimit>();

  add(entry: Entry): void {
    if (entry.kind === "concurrency") this.#keys.add(entry.touch);
    else this.#rates.add(entry.touch);
  }

  *settle(): Tx<void> {
    const admitted = yield* together(this.#keys.inOrder().map(admitByKey));
    for (const touch of admitted.flat()) this.#rates.add(touch);
    yield* together(this.#rates.inOrder().map(admitByRate));
  }

  writes(): Tx<unknown>[] {
    return [];
  }

  topics(): Iterable<string> {
    return [];
  }
}

const admissions = { name: "admissions", create: () => new Admissions() };

interface Keyed {
  endpointId: string;
  concurrency: Concurrency | null;
  rateLimit: RateLimit | null;
}

/** Admits held jobs of the job's concurrency key at the end of the batch if it has free slots. */
export function* touchKey(
  { endpointId, concurrency }: Omit<Keyed, "rateLimit">,
  now: number,
  { newest = false, forget = false } = {},
): Tx<void> {
  if (concurrency === null) return;
  const touch = { endpointId, limit: concurrency, newest, forget, now };
  yield* accumulate(admissions, { kind: "concurrency", touch });
}

/** Admits held jobs of the job's rate limit at the end of the batch if its pace allows any. */
export function* touchRate(
  { endpointId, rateLimit }: Omit<Keyed, "concurrency">,
  now: number,
  { newest = false } = {},
): Tx<void> {
  if (rateLimit === null) return;
  const touch = { endpointId, limit: rateLimit, newest, forget: false, now };
  yield* accumulate(admissions, { kind: "rate", touch });
}

/** Admits a job that is held, once its key or its rate limit lets it enter its queue. */
export function* touchHeld(job: Keyed, now: number, { newest = false } = {}): Tx<void> {
  yield* touchKey(job, now, { newest });
  // Without a held job of its own, the touch only records the newest limit.
  if (newest || job.concurrency === null) yield* touchRate(job, now, { newest });
}

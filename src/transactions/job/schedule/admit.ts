// Admission of jobs with a concurrency key. Every transaction that submits, holds or ends such a job touches its
// key. At the end of the batch each touched key is locked once, in an order that all replicas share, and as
// many of its held jobs as it has free slots for enter the queue.

import { type Concurrency, freeSlots } from "../../../domain/job/concurrency.ts";
import { recordCounts } from "../../../store/endpoint/counts.ts";
import { type Accumulator, accumulate } from "../../../store/engine/accumulator.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, notifyOne, type Tx, together } from "../../../store/engine/statement.ts";
import {
  type ConcurrencyKey,
  countKey,
  deleteKey,
  lockKey,
  setAdmitted,
  setSkipped,
  skippedKeys,
} from "../../../store/job/schedule/concurrency.ts";

interface Touch extends ConcurrencyKey {
  limit: number;
  /** True if a submission named the limit: it replaces the present one. */
  newest: boolean;
  now: number;
}

class Admissions implements Accumulator<Touch> {
  readonly #touched = new Map<string, Touch>();

  add(touch: Touch): void {
    const name = JSON.stringify([touch.endpointId, touch.key]);
    const before = this.#touched.get(name);
    // The limit of the newest submission of the batch is kept.
    const limit = before?.newest && !touch.newest ? before : touch;
    const now = Math.max(before?.now ?? 0, touch.now);
    this.#touched.set(name, { ...touch, limit: limit.limit, newest: limit.newest, now });
  }

  *settle(): Tx<void> {
    const names = [...this.#touched.keys()].sort();
    yield* together(names.map((name) => admit(this.#touched.get(name)!)));
  }

  writes(): Tx<unknown>[] {
    return [];
  }

  topics(): Iterable<string> {
    return [];
  }
}

const admissions = { name: "admissions", create: () => new Admissions() };

/** Admits held jobs of the key at the end of the batch if it has free slots. */
export function* touchKey(
  { endpointId, concurrency }: { endpointId: string; concurrency: Concurrency | null },
  now: number,
  { newest }: { newest: boolean } = { newest: false },
): Tx<void> {
  if (concurrency !== null)
    yield* accumulate(admissions, { endpointId, ...concurrency, newest, now });
}

/** Touches up to `most` keys with a job that was skipped because it was locked. */
export function* touchSkipped(now: number, most: number): Tx<void> {
  for (const { endpointId, ...concurrency } of yield* skippedKeys(most)) {
    yield* touchKey({ endpointId, concurrency }, now);
  }
}

function* admit({ endpointId, key, limit, newest, now }: Touch): Tx<void> {
  const name = { endpointId, key };
  const present = yield* lockKey(name, { limit, newest });
  const { admitted, held } = yield* countKey(name, present);
  if (admitted + held === 0) return yield* deleteKey(name);
  const most = Math.min(held, freeSlots(present, admitted));
  if (most === 0) return;
  const jobs = yield* setAdmitted(name, most, now);
  if (jobs.length < most) yield* setSkipped(name);
  yield* recordCounts(endpointId, now, { in_queue: jobs.length, delayed: -jobs.length });
  for (const { id } of jobs) {
    yield* notifyOne(topic.queue(endpointId));
    yield* notify(topic.job(id));
  }
  yield* notify(topic.fleet);
}

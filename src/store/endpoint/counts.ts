// The counters of endpoints (view `tally` of the table `job_count`). A batch adds them up and writes each endpoint once.

import { type Accumulator, accumulate, lookUp } from "../engine/accumulator.ts";
import { topic } from "../engine/notifier.ts";
import { change, type Tx } from "../engine/statement.ts";
import { severalAtOnce } from "../engine/text/several.ts";
import { addToMinute } from "./minutes.ts";

const COUNTERS = [
  "in_queue",
  "delayed",
  "in_progress",
  "completed",
  "failed",
  "retried",
  "bytes",
  "archived_bytes",
] as const;

type Counter = (typeof COUNTERS)[number];
/** What to add to each counter; a missing one stays as it is. */
export type CountChanges = Partial<Record<Counter, number>>;

interface CountEntry {
  endpointId: string;
  changes: CountChanges;
}

const WRITE = severalAtOnce(
  `
  insert into job_count (endpoint_id, at, what, size, slot, ${COUNTERS.join(", ")})
  values (?, ${Number.MAX_SAFE_INTEGER}, 'now', 0, ?, ${COUNTERS.map(() => "?").join(", ")})
  on conflict (endpoint_id, at, what, size, slot) do update
    set ${COUNTERS.map((name) => `${name} = job_count.${name} + excluded.${name}`).join(", ")}`,
  ["text", "bigint", ...COUNTERS.map(() => "bigint" as const)],
);

const ZERO = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Record<Counter, number>;

class CountSums implements Accumulator<CountEntry> {
  readonly #sums = new Map<string, Record<Counter, number>>();

  add({ endpointId, changes }: CountEntry): void {
    let sums = this.#sums.get(endpointId);
    if (!sums) {
      sums = { ...ZERO };
      this.#sums.set(endpointId, sums);
    }
    for (const name of Object.keys(changes) as Counter[]) sums[name] += changes[name] ?? 0;
  }

  bytesOf(endpointId: string): number {
    return this.#sums.get(endpointId)?.bytes ?? 0;
  }

  writes(slot: number): Tx<unknown>[] {
    return [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, sums]) => change(WRITE, id, slot, ...COUNTERS.map((name) => sums[name])));
  }

  /** Every change of a job changes a counter. */
  *topics(): Iterable<string> {
    for (const id of this.#sums.keys()) yield topic.changedWithin("job", id);
  }
}

const endpointCounts = { name: "endpoint counts", create: () => new CountSums() };

/** Changes the counters of an endpoint, and those of the minute in its history. */
export function* recordCounts(endpointId: string, at: number, changes: CountChanges): Tx<void> {
  yield* accumulate(endpointCounts, { endpointId, changes });
  yield* addToMinute(endpointId, at, changes);
}

/** Adds to what the jobs of an endpoint store. */
export function* recordBytes(endpointId: string, bytes: number): Tx<void> {
  if (bytes !== 0) yield* accumulate(endpointCounts, { endpointId, changes: { bytes } });
}

/** What the calls of this batch have added to the jobs of some endpoints, which no query shows yet. */
export function* uncommittedBytes(endpointIds: () => Tx<string[]>): Tx<number> {
  const sums = yield* lookUp(endpointCounts);
  if (!sums) return 0;
  return (yield* endpointIds()).reduce((bytes, id) => bytes + sums.bytesOf(id), 0);
}

/** Adds to the part of it that archived jobs store. */
export function* recordArchivedBytes(endpointId: string, bytes: number): Tx<void> {
  yield* accumulate(endpointCounts, { endpointId, changes: { archived_bytes: bytes } });
}

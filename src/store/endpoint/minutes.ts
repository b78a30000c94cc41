// The minutes of endpoints, which their history reads: counters (view `job_minute` of the table `job_count`) and delay
// and execution times (view `job_span`). A batch adds them up and writes each row once.

import { MINUTE_MS } from "../../base/units.ts";
import { durationBucket } from "../../domain/job/durations.ts";
import type { AnswerCounts } from "../../domain/serving/answer-counts.ts";
import { type Accumulator, accumulate } from "../engine/accumulator.ts";
import type { JobDuration } from "../engine/commit-counts.ts";
import { change, type Tx } from "../engine/statement.ts";
import { severalAtOnce } from "../engine/text/several.ts";
import type { CountChanges } from "./counts.ts";

export type DurationKind = JobDuration["kind"];

interface MinuteEntry {
  endpointId: string;
  /** The beginning of the minute. */
  at: number;
  /** In the order of MINUTE_COUNTERS. */
  counts: number[];
}

interface DurationEntry {
  endpointId: string;
  /** The beginning of the minute. */
  at: number;
  /** "status" counts answers of a load-balancing endpoint. */
  what: DurationKind | "status";
  /** The size class of the duration, or the class of the status. */
  size: number;
  n: number;
  /** The duration of a job; absent for requests of a load-balancing endpoint. */
  job?: JobDuration;
}

const MINUTE_COUNTERS = ["in_queue", "in_progress", "completed", "failed"] as const;

const WRITE_MINUTE = severalAtOnce(
  `
  insert into job_count (endpoint_id, at, what, size, slot, in_queue, in_progress, completed, failed)
  values (?, ?, 'minute', 0, ?, ?, ?, ?, ?)
  on conflict (endpoint_id, at, what, size, slot) do update
    set in_queue = job_count.in_queue + excluded.in_queue,
      in_progress = job_count.in_progress + excluded.in_progress,
      completed = job_count.completed + excluded.completed, failed = job_count.failed + excluded.failed`,
  ["text", "bigint", "bigint", "bigint", "bigint", "bigint", "bigint"],
);

const WRITE_DURATION = severalAtOnce(
  `
  insert into job_count (endpoint_id, at, what, size, slot, n) values (?, ?, ?, ?, ?, ?)
  on conflict (endpoint_id, at, what, size, slot) do update set n = job_count.n + excluded.n`,
  ["text", "bigint", "text", "bigint", "bigint", "bigint"],
);

class MinuteSums implements Accumulator<MinuteEntry | DurationEntry> {
  readonly durations: JobDuration[] = [];
  readonly #minutes = new Map<string, MinuteEntry>();
  readonly #durations = new Map<string, DurationEntry>();

  add(entry: MinuteEntry | DurationEntry): void {
    if ("counts" in entry) this.#addMinute(entry);
    else this.#addDuration(entry);
  }

  writes(slot: number): Tx<unknown>[] {
    const minutes = inKeyOrder(this.#minutes).map(({ endpointId, at, counts }) =>
      change(WRITE_MINUTE, endpointId, at, slot, ...counts),
    );
    const durations = inKeyOrder(this.#durations).map(({ endpointId, at, what, size, n }) =>
      change(WRITE_DURATION, endpointId, at, what, size, slot, n),
    );
    return [...minutes, ...durations];
  }

  topics(): Iterable<string> {
    return [];
  }

  #addMinute({ endpointId, at, counts }: MinuteEntry): void {
    const key = `${endpointId} ${at}`;
    const found = this.#minutes.get(key);
    if (!found) this.#minutes.set(key, { endpointId, at, counts: [...counts] });
    else for (let n = 0; n < counts.length; n++) found.counts[n]! += counts[n]!;
  }

  #addDuration(entry: DurationEntry): void {
    if (entry.job) this.durations.push(entry.job);
    const key = `${entry.endpointId} ${entry.at} ${entry.what} ${entry.size}`;
    const found = this.#durations.get(key);
    if (found) found.n += entry.n;
    else this.#durations.set(key, { ...entry });
  }
}

const endpointMinutes = { name: "endpoint minutes", create: () => new MinuteSums() };

/** Adds to the counters of the minute in an endpoint's history. */
export function* addToMinute(endpointId: string, at: number, changes: CountChanges): Tx<void> {
  const counts = MINUTE_COUNTERS.map((name) => changes[name] ?? 0);
  if (counts.every((n) => n === 0)) return;
  yield* accumulate(endpointMinutes, { endpointId, at: minuteOf(at), counts });
}

/** Records how long a job waited or ran, up to the instant `at`. */
export function* recordDuration(
  endpointId: string,
  at: number,
  what: DurationKind,
  ms: number,
): Tx<void> {
  const entry = { endpointId, at: minuteOf(at), what, size: durationBucket(ms), n: 1 };
  yield* accumulate(endpointMinutes, { ...entry, job: { kind: what, ms } });
}

/** Adds answers of a load-balancing endpoint to its history. */
export function* recordAnswers(endpointId: string, at: number, counts: AnswerCounts): Tx<void> {
  const kinds = { status: counts.classes, execution: counts.durations, delay: counts.firstBytes };
  for (const [what, sizes] of Object.entries(kinds)) {
    for (const [size, n] of sizes) {
      const entry = { endpointId, at: minuteOf(at), what: what as DurationEntry["what"], size, n };
      yield* accumulate(endpointMinutes, entry);
    }
  }
}

const minuteOf = (at: number) => Math.floor(at / MINUTE_MS) * MINUTE_MS;

function inKeyOrder<Item>(items: Map<string, Item>): Item[] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

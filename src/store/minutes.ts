// What a turn adds to the minutes of endpoints, which their history is read from: like the counters, it is
// written with the commit, a row for each endpoint and minute, and one for each length of jobs in it.

import { MINUTE_MS } from "../domain/endpoint/history.ts";
import { sizeOf } from "../domain/job/durations.ts";
import { change, type Lasted, type Tally, type Verb } from "./statement.ts";

const COUNTERS = ["in_queue", "in_progress", "ever_completed", "ever_failed"] as const;

const WRITE_MINUTE = `
  insert into job_minute (endpoint_id, at, slot, queued, running, completed, failed)
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict (endpoint_id, at, slot) do update
    set queued = job_minute.queued + excluded.queued, running = job_minute.running + excluded.running,
      completed = job_minute.completed + excluded.completed, failed = job_minute.failed + excluded.failed`;

const WRITE_SPAN = `
  insert into job_span (endpoint_id, at, what, size, slot, n) values (?, ?, ?, ?, ?, ?)
  on conflict (endpoint_id, at, what, size, slot) do update set n = job_span.n + excluded.n`;

interface Minute {
  endpointId: string;
  at: number;
  counts: number[];
}

interface Spans extends Omit<Lasted, "lasted" | "ms"> {
  endpointId: string;
  size: number;
  n: number;
}

export class Minutes {
  #minutes = new Map<string, Minute>();
  #spans = new Map<string, Spans>();

  count({ tally, at, add }: Tally): void {
    const counts = COUNTERS.map((name) => add[name] ?? 0);
    if (counts.some((n) => n !== 0)) this.#count({ endpointId: tally, at: minuteOf(at), counts });
  }

  lasted({ lasted, at, what, ms }: Lasted): void {
    this.#last({ endpointId: lasted, at: minuteOf(at), what, size: sizeOf(ms), n: 1 });
  }

  add(other: Minutes): void {
    for (const each of other.#minutes.values()) this.#count(each);
    for (const each of other.#spans.values()) this.#last(each);
  }

  /** Always in the same order, so that no two replicas wait for each other. */
  sums(slot: number): Verb<unknown>[] {
    const minutes = sorted(this.#minutes).map(({ endpointId, at, counts }) =>
      change(WRITE_MINUTE, endpointId, at, slot, ...counts),
    );
    const spans = sorted(this.#spans).map(({ endpointId, at, what, size, n }) =>
      change(WRITE_SPAN, endpointId, at, what, size, slot, n),
    );
    return [...minutes, ...spans];
  }

  clear(): void {
    this.#minutes.clear();
    this.#spans.clear();
  }

  #count({ endpointId, at, counts }: Minute): void {
    const key = `${endpointId} ${at}`;
    const found = this.#minutes.get(key);
    if (!found) this.#minutes.set(key, { endpointId, at, counts: [...counts] });
    else for (let n = 0; n < counts.length; n++) found.counts[n]! += counts[n]!;
  }

  #last(spans: Spans): void {
    const key = `${spans.endpointId} ${spans.at} ${spans.what} ${spans.size}`;
    const found = this.#spans.get(key);
    if (found) found.n += spans.n;
    else this.#spans.set(key, { ...spans });
  }
}

const minuteOf = (at: number) => Math.floor(at / MINUTE_MS) * MINUTE_MS;

function sorted<Item>(items: Map<string, Item>): Item[] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

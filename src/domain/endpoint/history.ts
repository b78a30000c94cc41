// An endpoint's history by minute. The numbers of waiting and running jobs are computed backwards
// from now.

import { DAY_MS, MINUTE_MS } from "../../base/units.ts";
import { quantile, type Sized } from "../job/durations.ts";

/**
 * The longest history of a request; rows are kept an hour longer, because a bucket may begin
 * earlier.
 */
export const HISTORY_MS = DAY_MS;
export const HISTORY_KEPT_MS = HISTORY_MS + 60 * MINUTE_MS;

interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface HistoryPoint {
  /** The start of its bucket. */
  at: number;
  /** At the end of the bucket, or now. */
  queued: number;
  running: number;
  completed: number;
  failed: number;
  delay: Percentiles | null;
  execution: Percentiles | null;
  coldStarts: number;
  /** The mean time in ms from a worker's creation to its first poll. */
  coldStartMs: number | null;
  /** Answers by class of status, "2xx"; of a load-balancing endpoint alone. */
  statuses?: Record<string, number>;
}

interface Happened {
  from: number;
  to: number;
  bucketMs: number;
  now: { queued: number; running: number };
  /** All since `from`, including those after `to`. */
  minutes: { at: number; queued: number; running: number; completed: number; failed: number }[];
  spans: (Sized & { at: number; what: "delay" | "execution" })[];
  starts: { at: number; n: number; ms: number }[];
  /** Answers by the first digit of their status; null for an endpoint with a queue. */
  statuses: { at: number; digit: number; n: number }[] | null;
}

/** One point per bucket, oldest first. */
export function historyOf({ from, to, bucketMs, now, ...happened }: Happened): HistoryPoint[] {
  const bucketOf = ({ at }: { at: number }) => Math.floor(at / bucketMs) * bucketMs;
  const minutes = Map.groupBy(happened.minutes, bucketOf);
  const spans = Map.groupBy(happened.spans, bucketOf);
  const starts = new Map(happened.starts.map((each) => [each.at, each]));
  const statuses = happened.statuses && Map.groupBy(happened.statuses, ({ at }) => at);
  const points: HistoryPoint[] = [];
  let { queued, running } = now;
  const last = Math.max(to, ...minutes.keys().map((at) => at + bucketMs));
  for (let at = last - bucketMs; at >= from; at -= bucketMs) {
    const here = minutes.get(at) ?? [];
    const lasting = spans.get(at) ?? [];
    const started = starts.get(at);
    if (at < to) {
      points.push({
        at,
        queued: Math.max(0, queued),
        running: Math.max(0, running),
        completed: sum(here, "completed"),
        failed: sum(here, "failed"),
        delay: percentiles(lasting.filter(({ what }) => what === "delay")),
        execution: percentiles(lasting.filter(({ what }) => what === "execution")),
        coldStarts: started?.n ?? 0,
        coldStartMs: started ? Math.round(started.ms / started.n) : null,
        ...(statuses && { statuses: statusesOf(statuses.get(at) ?? []) }),
      });
    }
    queued -= sum(here, "queued");
    running -= sum(here, "running");
  }
  return points.reverse();
}

const statusesOf = (all: { digit: number; n: number }[]) =>
  Object.fromEntries(all.map(({ digit, n }) => [digit === 0 ? "aborted" : `${digit}xx`, n]));

type Counts = Happened["minutes"][number];

function sum(minutes: Counts[], name: Exclude<keyof Counts, "at">): number {
  return minutes.reduce((total, each) => total + each[name], 0);
}

function percentiles(sizes: Sized[]): Percentiles | null {
  if (sizes.length === 0) return null;
  const at = (share: number) => quantile(sizes, share)!;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

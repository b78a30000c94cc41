// The activity of all endpoints of an account: their jobs of the last hours, and what they cost today.

import type { Clock } from "../../base/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../base/units.ts";
import { quantile } from "../../domain/job/durations.ts";
import { endedJobsByBucket, executionTimesSince } from "../../store/endpoint/activity.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { endpointSpendingSince } from "../../store/usage/spending.ts";

const BUCKET_MS = 15 * MINUTE_MS;
const BUCKETS_PER_HOUR = 4;

export interface EndpointActivity {
  endpointId: string;
  /** Jobs by quarter of an hour, oldest first; the last one is not over. */
  completed: number[];
  failed: number[];
  /** The 95th percentile of the execution times; null if no job finished. */
  executionMs: number | null;
  /** In micro-dollars since midnight UTC. */
  spentToday: number;
}

/** An endpoint without any is left out. */
export function endpointActivity(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  hours: number,
): Promise<EndpointActivity[]> {
  return store.read(activityOf, accountId, clock.now(), hours * BUCKETS_PER_HOUR);
}

function* activityOf(accountId: string, now: number, buckets: number): Tx<EndpointActivity[]> {
  const from = (Math.floor(now / BUCKET_MS) - buckets + 1) * BUCKET_MS;
  const ended = byEndpoint(yield* endedJobsByBucket(accountId, from, BUCKET_MS));
  const times = byEndpoint(yield* executionTimesSince(accountId, from));
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const spent = byEndpoint(yield* endpointSpendingSince(accountId, today, now));
  const ids = new Set([...ended.keys(), ...times.keys(), ...spent.keys()]);
  return Array.from(ids, (endpointId) => ({
    endpointId,
    ...countsOf(ended.get(endpointId) ?? [], from, buckets),
    executionMs: quantile(times.get(endpointId) ?? [], 0.95),
    spentToday: spent.get(endpointId)?.[0]?.micros ?? 0,
  }));
}

const byEndpoint = <Row extends { endpointId: string }>(all: Row[]) =>
  Map.groupBy(all, ({ endpointId }) => endpointId);

interface EndedJobs {
  at: number;
  completed: number;
  failed: number;
}

function countsOf(all: EndedJobs[], from: number, buckets: number) {
  const completed = new Array<number>(buckets).fill(0);
  const failed = new Array<number>(buckets).fill(0);
  for (const each of all) {
    // A minute from before the clock was set back counts as the present.
    const bucket = Math.min((each.at - from) / BUCKET_MS, buckets - 1);
    completed[bucket]! += each.completed;
    failed[bucket]! += each.failed;
  }
  return { completed, failed };
}

// What an account spent, bucket by bucket. A bucket in which nothing was spent has no record.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type BucketSize,
  bucketEnd,
  bucketSizes,
  bucketStart,
} from "../../domain/money/buckets.ts";
import { HOUR_MS } from "../../domain/money/owed.ts";
import {
  type Spent,
  spentByFacts,
  spentByResource,
  type Window,
} from "../../store/money/history.ts";
import type { UsageKind } from "../../store/money/usage.ts";
import type { Store } from "../../store/store.ts";

export type Grouping = "resourceId" | "endpointId" | "gpuTypeId" | "none";

export interface HistoryWish {
  accountId: string;
  kind: UsageKind;
  bucketSize: BucketSize;
  grouping: Grouping;
  /** Snapped down to the beginning of its bucket; 30 days before the end where it is left out. */
  startTime: number | null;
  /** Exclusive, snapped up; now where it is left out. */
  endTime: number | null;
  /** Of one resource alone. */
  resourceId: string | null;
  /** Lists that what was used must be in; left out, anything is. */
  among: Partial<Record<Fact, readonly string[]>>;
}

type Fact = "endpointId" | "gpuTypeId" | "dataCenterId" | "imageName" | "templateId";

export interface SpendRecord {
  /** The bucket's beginning. */
  at: number;
  /** Whose, as it was grouped; null where it was not. */
  group: string | null;
  micros: number;
  /** Milliseconds in which more than a disk was billed. */
  runMs: number;
  /** The disk's size, as the mean over the time it was billed for. */
  diskGb: number;
}

const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 30;
/** Longer histories are answered in larger buckets. */
const MOST_DAYS: Record<BucketSize, number> = {
  hour: 92,
  day: 3_660,
  week: 3_660,
  month: 36_600,
  year: 36_600,
};

export async function spendHistory(
  { store, clock }: { store: Store; clock: Clock },
  wish: HistoryWish,
): Promise<SpendRecord[]> {
  const { grouping, resourceId } = wish;
  const window = windowOf(wish, clock.now());
  if (grouping !== "resourceId" && resourceId === null) {
    return summed([await store.read(spentByFacts, window)], wish);
  }
  if (resourceId !== null) {
    return summed([await store.read(spentByResource, window, resourceId)], wish);
  }
  const parts: Spent[][] = [];
  for (const part of cut(window)) parts.push(await store.read(spentByResource, part, null));
  return summed(parts, wish);
}

/** Resources may be many: they are read a little at a time, and others have their turn between. */
function* cut(window: Window): Generator<Window> {
  const length = window.unit === "hour" ? 6 * HOUR_MS : 5 * DAY_MS;
  for (let from = window.from; from < window.to; from += length) {
    yield { ...window, from, to: Math.min(window.to, from + length) };
  }
}

function windowOf(wish: HistoryWish, now: number): Window {
  const { accountId, kind, bucketSize } = wish;
  const end = wish.endTime ?? now;
  const start = wish.startTime ?? end - DEFAULT_DAYS * DAY_MS;
  if (start >= end) {
    throw new Fault("invalid_query", { detail: '"startTime" must be before "endTime".' });
  }
  const from = bucketStart(bucketSize, start);
  const to = end === bucketStart(bucketSize, end) ? end : bucketEnd(bucketSize, end);
  const most = MOST_DAYS[bucketSize];
  if (to - from > (most + 1) * DAY_MS) {
    const larger = bucketSizes[bucketSizes.indexOf(bucketSize) + 1];
    const instead = larger ? ` Ask by ${larger}, or for less.` : "";
    const detail = `From "startTime" to "endTime" may be ${most} days by ${bucketSize}.${instead}`;
    throw new Fault("invalid_query", { detail });
  }
  return { accountId, kind, from, to, unit: bucketSize === "hour" ? "hour" : "day" };
}

function passes(spent: Spent, among: HistoryWish["among"]): boolean {
  return Object.entries(among).every(([fact, list]) => list.includes(spent[fact as Fact]));
}

function summed(parts: Spent[][], { bucketSize, grouping, among }: HistoryWish): SpendRecord[] {
  const records = new Map<string, SpendRecord & { ms: number; gbMs: number }>();
  for (const each of parts.flat()) {
    if (!passes(each, among)) continue;
    const at = bucketStart(bucketSize, each.at);
    const group = grouping === "none" ? null : each[grouping];
    const key = `${at} ${group}`;
    const record = records.get(key) ?? {
      at,
      group,
      micros: 0,
      runMs: 0,
      diskGb: 0,
      ms: 0,
      gbMs: 0,
    };
    record.micros += each.micros;
    record.runMs += each.runMs;
    record.ms += each.ms;
    record.gbMs += each.gbMs;
    records.set(key, record);
  }
  return [...records.values()]
    .filter(({ micros, ms }) => micros !== 0 || ms !== 0)
    .sort((a, b) => a.at - b.at || (a.group ?? "").localeCompare(b.group ?? "", "en"))
    .map(({ ms, gbMs, ...record }) => ({ ...record, diskGb: ms > 0 ? Math.round(gbMs / ms) : 0 }));
}

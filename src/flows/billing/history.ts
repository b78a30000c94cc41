// What an account spent, bucket by bucket. A bucket in which nothing was spent has no record.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type BucketSize,
  bucketEnd,
  bucketSizes,
  bucketStart,
} from "../../domain/money/buckets.ts";
import { DAY_MS } from "../../domain/money/owed.ts";
import {
  type Spent,
  spentByFacts,
  spentOn,
  usedIn,
  type Window,
} from "../../store/money/history.ts";
import type { UsageKind } from "../../store/money/row.ts";
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

const DEFAULT_DAYS = 30;
/** Usages that are read at once. */
const A_PAGE = 500;
/** Sums after which others have their turn. */
const A_BREATH = 5_000;
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
  const window = windowOf(wish, clock.now());
  const sums = new Sums(wish);
  if (wish.grouping !== "resourceId" && wish.resourceId === null) {
    for (const spent of await store.read(spentByFacts, window)) sums.add(spent);
    return sums.records();
  }
  let added = 0;
  for await (const usage of usagesIn(store, window, wish.resourceId)) {
    for (const spent of spentOn(usage, window)) {
      sums.add(spent);
      if (++added % A_BREATH === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return sums.records();
}

async function* usagesIn(store: Store, window: Window, resourceId: string | null) {
  for (let after = 0; ; ) {
    const page = await store.read(usedIn, window, resourceId, after, A_PAGE);
    yield* page;
    if (page.length < A_PAGE) return;
    after = page.at(-1)!.id;
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

/** Adds up what was spent, by buckets and groups. */
class Sums {
  readonly #wish: HistoryWish;
  readonly #records = new Map<string, SpendRecord & { ms: number; gbMs: number }>();

  constructor(wish: HistoryWish) {
    this.#wish = wish;
  }

  add(spent: Spent): void {
    const { bucketSize, grouping, among } = this.#wish;
    if (!passes(spent, among)) return;
    const at = bucketStart(bucketSize, spent.at);
    const group = grouping === "none" ? null : spent[grouping];
    const key = `${at} ${group}`;
    let record = this.#records.get(key);
    if (!record) {
      record = { at, group, micros: 0, runMs: 0, diskGb: 0, ms: 0, gbMs: 0 };
      this.#records.set(key, record);
    }
    record.micros += spent.micros;
    record.runMs += spent.runMs;
    record.ms += spent.ms;
    record.gbMs += spent.gbMs;
  }

  /** In order; a bucket in which nothing was spent has none. */
  records(): SpendRecord[] {
    return [...this.#records.values()]
      .filter(({ micros, ms }) => micros !== 0 || ms !== 0)
      .sort((a, b) => a.at - b.at || (a.group ?? "").localeCompare(b.group ?? "", "en"))
      .map(({ ms, gbMs, ...record }) => ({
        ...record,
        diskGb: ms > 0 ? Math.round(gbMs / ms) : 0,
      }));
  }
}

// The cost history of an account, in time buckets. A bucket without costs has no record.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type BucketSize,
  bucketEnd,
  bucketSizes,
  bucketStart,
} from "../../domain/money/buckets.ts";
import { DAY_MS } from "../../domain/money/owed.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  type Spent,
  spentByDimensions,
  spentOn,
  usagesIn,
  type Window,
} from "../../store/usage/history.ts";
import type { UsageKind } from "../../store/usage/usage.ts";

export type Grouping = "resourceId" | "endpointId" | "gpuTypeId" | "none";

export interface HistoryQuery {
  accountId: string;
  kind: UsageKind;
  bucketSize: BucketSize;
  grouping: Grouping;
  /** Rounded down to a bucket. Default: 30 days before the end. */
  startTime: number | null;
  /** Exclusive; rounded up to a bucket. Default: now. */
  endTime: number | null;
  /** Only this resource; null for all. */
  resourceId: string | null;
  /** Allowed values by attribute; an omitted attribute matches anything. */
  filters: Partial<Record<Fact, readonly string[]>>;
}

type Fact = "endpointId" | "gpuTypeId" | "dataCenterId" | "imageName" | "templateId";

export interface SpendRecord {
  /** Start of the bucket. */
  at: number;
  /** The value of the grouping; null without grouping. */
  group: string | null;
  micros: number;
  /** Milliseconds of billed compute time. */
  runMs: number;
  /** Mean disk size over the billed time. */
  diskGb: number;
}

const DEFAULT_DAYS = 30;
/** Usages per read. */
const A_PAGE = 500;
/** Sums after which the event loop runs other work. */
const A_BREATH = 5_000;
/** The longest history by bucket size. */
const MOST_DAYS: Record<BucketSize, number> = {
  hour: 92,
  day: 3_660,
  week: 3_660,
  month: 36_600,
  year: 36_600,
};

export async function spendHistory(
  { store, clock }: { store: Store; clock: Clock },
  request: HistoryQuery,
): Promise<SpendRecord[]> {
  const window = windowOf(request, clock.now());
  const sums = new Sums(request);
  if (request.grouping !== "resourceId" && request.resourceId === null) {
    for (const spent of await store.read(spentByDimensions, window)) sums.add(spent);
    return sums.records();
  }
  let added = 0;
  for await (const usage of readUsages(store, window, request.resourceId)) {
    for (const spent of spentOn(usage, window)) {
      sums.add(spent);
      if (++added % A_BREATH === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return sums.records();
}

async function* readUsages(store: Store, window: Window, resourceId: string | null) {
  for (let after = 0; ; ) {
    const page = await store.read(usagesIn, window, resourceId, after, A_PAGE);
    yield* page;
    if (page.length < A_PAGE) return;
    after = page.at(-1)!.id;
  }
}

function windowOf(request: HistoryQuery, now: number): Window {
  const { accountId, kind, bucketSize } = request;
  const end = request.endTime ?? now;
  const start = request.startTime ?? end - DEFAULT_DAYS * DAY_MS;
  if (start >= end) {
    throw new Fault("invalid_query", { detail: '"startTime" must be before "endTime".' });
  }
  const from = bucketStart(bucketSize, start);
  const to = end === bucketStart(bucketSize, end) ? end : bucketEnd(bucketSize, end);
  const most = MOST_DAYS[bucketSize];
  if (to - from > (most + 1) * DAY_MS) {
    const larger = bucketSizes[bucketSizes.indexOf(bucketSize) + 1];
    const instead = larger ? ` Use bucketSize ${larger}, or a shorter time.` : "";
    const detail = `"startTime" and "endTime" can be at most ${most} days apart with bucketSize ${bucketSize}.${instead}`;
    throw new Fault("invalid_query", { detail });
  }
  return { accountId, kind, from, to, unit: bucketSize === "hour" ? "hour" : "day" };
}

function passes(spent: Spent, filters: HistoryQuery["filters"]): boolean {
  return Object.entries(filters).every(([fact, list]) => list.includes(spent[fact as Fact]));
}

/** Sums costs by bucket and group. */
class Sums {
  readonly #request: HistoryQuery;
  readonly #records = new Map<string, SpendRecord & { ms: number; gbMs: number }>();

  constructor(request: HistoryQuery) {
    this.#request = request;
  }

  add(spent: Spent): void {
    const { bucketSize, grouping, filters } = this.#request;
    if (!passes(spent, filters)) return;
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

  /** The records in order; a bucket without costs has none. */
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

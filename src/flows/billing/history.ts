// The cost history of an account, in time buckets. A bucket without costs has no record.

import { type Clock, yieldToEventLoop } from "../../base/clock.ts";
import { labelOf, noLabels } from "../../domain/label/labels.ts";
import { bucketStart } from "../../domain/money/buckets.ts";
import { addParts, type CostParts, costParts, noCost } from "../../domain/money/parts.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  endedUsagesIn,
  openUsagesIn,
  type Spent,
  spentByDimensions,
  spentOn,
  type UsageWindow,
  usagesOfResource,
} from "../../store/usage/history.ts";
import type { UsageKind } from "../../store/usage/usage.ts";
import { historyWindow, type WindowRequest } from "./window.ts";

export type Grouping =
  | "resourceId"
  | "endpointId"
  | "gpuTypeId"
  | "ownerId"
  | { label: string }
  | "none";

export interface BillingHistoryQuery extends WindowRequest {
  accountId: string;
  kind: UsageKind;
  grouping: Grouping;
  /** Only these resources; null for all. */
  resourceIds: readonly string[] | null;
  /** Allowed values by attribute; an omitted attribute matches anything. */
  filters: Partial<Record<Fact, readonly string[]>>;
}

type Fact = "endpointId" | "gpuTypeId" | "dataCenterId" | "imageName" | "templateId";

export interface SpendRecord {
  /** Start of the bucket. */
  at: number;
  /** The value of the grouping; null without grouping, and for what has no such value. */
  group: string | null;
  micros: number;
  parts: CostParts;
  /** Milliseconds of billed compute time. */
  runMs: number;
  /** Mean disk size over the billed time. */
  diskGb: number;
  /** Mean size of network volumes of the class HIGH_PERFORMANCE over their billed time. */
  fastDiskGb: number;
}

/** Times in milliseconds, and sizes in gigabytes times milliseconds. */
interface Sum extends SpendRecord {
  ms: number;
  gbMs: number;
  fastMs: number;
  fastGbMs: number;
}

/** Usages per read. */
const A_PAGE = 500;
/** Sums after which the event loop runs other work. */
const A_BREATH = 5_000;

export async function spendHistory(
  { store, clock }: { store: Store; clock: Clock },
  request: BillingHistoryQuery,
): Promise<SpendRecord[]> {
  const { accountId, kind, bucketSize } = request;
  const { from, to } = historyWindow(request, clock.now());
  const unit = bucketSize === "hour" ? "hour" : "day";
  const window: UsageWindow = { accountId, kind, from, to, unit };
  const sums = new Sums(request);
  if (isRolledUp(request.grouping) && request.resourceIds === null) {
    for (const spent of await store.read(spentByDimensions, window)) sums.add(spent);
    return sums.records();
  }
  let added = 0;
  const { resourceIds } = request;
  const usages = resourceIds ? usagesOf(store, window, resourceIds) : allUsages(store, window);
  for await (const usage of usages) {
    for (const spent of spentOn(usage, window)) {
      sums.add(spent);
      if (++added % A_BREATH === 0) await yieldToEventLoop();
    }
  }
  return sums.records();
}

/** Whether the roll-ups have what the costs are grouped by. */
function isRolledUp(grouping: Grouping): boolean {
  return typeof grouping === "string" && grouping !== "resourceId" && grouping !== "ownerId";
}

/** Null for the cost of what has no label of that name, or belongs to no member. */
function groupOf(spent: Spent, grouping: Grouping): string | null {
  if (grouping === "none") return null;
  if (typeof grouping === "object") return labelOf(spent.labels ?? noLabels, grouping.label);
  return spent[grouping] ?? null;
}

async function* usagesOf(store: Store, window: UsageWindow, ids: readonly string[]) {
  for (const resourceId of new Set(ids)) {
    for (let after = 0; ; ) {
      const page = await store.read(usagesOfResource, window, resourceId, after, A_PAGE);
      yield* page;
      if (page.length < A_PAGE) break;
      after = page.at(-1)!.id;
    }
  }
}

/**
 * Each usage of the window once, although some end between two pages: what was open at first and is open no more counts as
 * it was, unless a later page has it.
 */
async function* allUsages(store: Store, window: UsageWindow) {
  const open = new Map((await store.read(openUsagesIn, window)).map((each) => [each.id, each]));
  for (const which of ["ended", "long"] as const) {
    for (let after = { endedAt: 0, id: 0 }; ; ) {
      const page = await store.read(endedUsagesIn, window, which, after, A_PAGE);
      for (const usage of page) open.delete(usage.id);
      yield* page;
      if (page.length < A_PAGE) break;
      const { endedAt, id } = page.at(-1)!;
      after = { endedAt: endedAt!, id };
    }
  }
  yield* open.values();
}

function passes(spent: Spent, filters: BillingHistoryQuery["filters"]): boolean {
  return Object.entries(filters).every(([fact, list]) => list.includes(spent[fact as Fact]));
}

const nothing: Omit<Sum, "at" | "group"> = {
  micros: 0,
  parts: noCost,
  runMs: 0,
  diskGb: 0,
  fastDiskGb: 0,
  ms: 0,
  gbMs: 0,
  fastMs: 0,
  fastGbMs: 0,
};

/** Sums costs by bucket and group. */
class Sums {
  readonly #request: BillingHistoryQuery;
  readonly #records = new Map<string, Sum>();

  constructor(request: BillingHistoryQuery) {
    this.#request = request;
  }

  add(spent: Spent): void {
    const { bucketSize, grouping, filters } = this.#request;
    if (!passes(spent, filters)) return;
    const at = bucketStart(bucketSize, spent.at);
    const group = groupOf(spent, grouping);
    const key = JSON.stringify([at, group]);
    let record = this.#records.get(key);
    if (!record) {
      record = { at, group, ...nothing };
      this.#records.set(key, record);
    }
    const isFast = spent.volumeType === "HIGH_PERFORMANCE";
    record.micros += spent.micros;
    record.parts = addParts(record.parts, costParts(spent));
    record.runMs += spent.runMs;
    record.ms += spent.ms;
    record.gbMs += spent.gbMs;
    record.fastMs += isFast ? spent.ms : 0;
    record.fastGbMs += isFast ? spent.gbMs : 0;
  }

  /** The records in order; a bucket without costs has none. */
  records(): SpendRecord[] {
    return [...this.#records.values()]
      .filter(({ micros, ms }) => micros !== 0 || ms !== 0)
      .sort((a, b) => a.at - b.at || (a.group ?? "").localeCompare(b.group ?? "", "en"))
      .map(({ ms, gbMs, fastMs, fastGbMs, ...record }) => ({
        ...record,
        diskGb: ms > 0 ? Math.round(gbMs / ms) : 0,
        fastDiskGb: fastMs > 0 ? Math.round(fastGbMs / fastMs) : 0,
      }));
  }
}

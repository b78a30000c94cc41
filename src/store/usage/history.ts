// What was spent: by resource from the usages, by everything else from the roll-ups.

import { DAY_MS, HOUR_MS } from "../../base/units.ts";
import type { Attribution } from "../../domain/money/attribution.ts";
import { slices } from "../../domain/money/owed.ts";
import { row, rows, type Tx } from "../engine/statement.ts";
import {
  intervalOf,
  type Metered,
  type MeteredUsage,
  USAGE_COLUMNS,
  type UsageKind,
  type UsageRow,
  usageFrom,
} from "./usage.ts";

/** A sum of money and time in one bucket. The roll-ups have no owner and no labels. */
export interface Spent extends Partial<Attribution> {
  at: number;
  resourceId: string | null;
  endpointId: string;
  gpuTypeId: string;
  dataCenterId: string;
  imageName: string;
  templateId: string;
  volumeType: Metered["volumeType"];
  ms: number;
  /** The part of `ms` in which more than disks was billed. */
  runMs: number;
  /** Gigabytes of disk times milliseconds. */
  gbMs: number;
  micros: number;
  /** The part of `micros` that is for disks. */
  diskMicros: number;
}

export interface UsageWindow {
  accountId: string;
  kind: UsageKind;
  from: number;
  to: number;
  unit: "hour" | "day";
}

const byDimensions = (table: string) => `
  select at, endpoint_id as "endpointId", gpu_type_id as "gpuTypeId",
    data_center_id as "dataCenterId", image_name as "imageName", template_id as "templateId",
    volume_type as "volumeType", ms, run_ms as "runMs", gb_ms as "gbMs", micros,
    disk_micros as "diskMicros"
  from ${table} where account_id = ? and kind = ? and at >= ? and at < ?`;
const spentByHour = byDimensions("spend_hour");
const spentByDay = byDimensions("spend_day");

/** What was spent, by hour or day and by every dimension except the resource. */
export function* spentByDimensions({ accountId, kind, from, to, unit }: UsageWindow): Tx<Spent[]> {
  const sql = unit === "hour" ? spentByHour : spentByDay;
  const found = yield* rows<Omit<Spent, "resourceId">>(sql, accountId, kind, from, to);
  return found.map((each) => ({ ...each, resourceId: null }));
}

/** Micro-dollars for all use before the beginning of a day. */
export function* spentBefore(accountId: string, day: number): Tx<number> {
  const sum = yield* row<{ micros: number | null }>(
    "select sum(micros) as micros from spend_day where account_id = ? and at < ?",
    accountId,
    day,
  );
  return Number(sum?.micros ?? 0);
}

/** Usages of more than a week are found apart from the others, which end soon after a time that they are in. */
const WEEK_MS = 7 * DAY_MS;

/** Conditions on usages of a time: those that ended, in two ranges of their ends, and the open ones. */
export const inTime = {
  ended: "ended_at > ? and ended_at <= ? and began_at < ?",
  long: `ended_at > ? and began_at < ? and ended_at - began_at > ${WEEK_MS}`,
  open: "ended_at is null and began_at < ? and metered_to > ?",
};

/** The parameters of these conditions. */
export function paramsInTime({ from, to }: { from: number; to: number }) {
  const late = Math.min(to + WEEK_MS, Number.MAX_SAFE_INTEGER);
  return { ended: [from, late, to], long: [late, to], open: [to, from] };
}

const usages = (where: string, order: string) =>
  `select ${USAGE_COLUMNS} from usage where ${where} order by ${order} limit ?`;
const endedUsages = usages(
  `account_id = ? and kind = ? and (ended_at, id) > (?, ?) and ${inTime.ended}`,
  "ended_at, id",
);
const longUsages = usages(
  `account_id = ? and kind = ? and (ended_at, id) > (?, ?) and ${inTime.long}`,
  "ended_at, id",
);
// In no order: PostgreSQL would read the open usages of all accounts for it.
const openUsages = `select ${USAGE_COLUMNS} from usage where account_id = ? and kind = ? and ${inTime.open}`;
// No condition on the account: PostgreSQL would choose the account's index and read all of it.
const usagesOfOne = usages("resource_id = ? and id > ? and began_at < ? and metered_to > ?", "id");

/** Where the next page begins. */
export interface UsageCursor {
  endedAt: number;
  id: number;
}

/** A page of the window's usages that ended, or of those of more than a week that ended long after it. */
export function* endedUsagesIn(
  window: UsageWindow,
  which: "ended" | "long",
  after: UsageCursor,
  limit: number,
): Tx<MeteredUsage[]> {
  const found = yield* rows<UsageRow>(
    which === "ended" ? endedUsages : longUsages,
    window.accountId,
    window.kind,
    after.endedAt,
    after.id,
    ...paramsInTime(window)[which],
    limit,
  );
  return found.map(usageFrom);
}

/** The window's usages that have not ended. */
export function* openUsagesIn(window: UsageWindow): Tx<MeteredUsage[]> {
  const { accountId, kind } = window;
  const found = yield* rows<UsageRow>(openUsages, accountId, kind, ...paramsInTime(window).open);
  return found.map(usageFrom);
}

/** A page of one resource's usages in the window. */
export function* usagesOfResource(
  { from, to }: UsageWindow,
  resourceId: string,
  after: number,
  limit: number,
): Tx<MeteredUsage[]> {
  const found = yield* rows<UsageRow>(usagesOfOne, resourceId, after, to, from, limit);
  return found.map(usageFrom);
}

/** What was charged for a usage, by the hours or days of the window. */
export function* spentOn(
  usage: MeteredUsage,
  { accountId, kind, from, to, unit }: UsageWindow,
): Generator<Spent> {
  if (usage.accountId !== accountId || usage.kind !== kind) return;
  const [first, last] = [Math.max(from, usage.beganAt), Math.min(to, usage.meteredTo)];
  const { resourceId, endpointId, gpuTypeId, dataCenterId, imageName } = usage;
  const { templateId, volumeType, ownerId, labels } = usage;
  const place = { gpuTypeId, dataCenterId, imageName, templateId, volumeType };
  const dimensions = { resourceId, endpointId, ...place, ownerId, labels };
  for (const slice of slices(intervalOf(usage), first, last, unit === "hour" ? HOUR_MS : DAY_MS)) {
    const { ms } = slice;
    yield { ...dimensions, ...slice, runMs: usage.running ? ms : 0, gbMs: usage.diskGb * ms };
  }
}

// What was spent: by everything but the resource from the roll-ups that charging keeps, by resource
// from the usages themselves, which say all there is to know.

import { DAY_MS, HOUR_MS, slices } from "../../domain/money/owed.ts";
import { rows, type Verb } from "../statement.ts";
import { intervalOf, type UsageKind, type UsageRow } from "./row.ts";

/** A sum of money and time in one bucket. */
export interface Spent {
  at: number;
  resourceId: string | null;
  endpointId: string;
  gpuTypeId: string;
  dataCenterId: string;
  imageName: string;
  templateId: string;
  /** Of this, `runMs` as more than a disk. */
  ms: number;
  runMs: number;
  /** Gigabytes of disk times milliseconds. */
  gbMs: number;
  micros: number;
}

export interface Window {
  accountId: string;
  kind: UsageKind;
  from: number;
  to: number;
  unit: "hour" | "day";
}

const facts = `endpoint_id as "endpointId", gpu_type_id as "gpuTypeId",
  data_center_id as "dataCenterId", image_name as "imageName", template_id as "templateId"`;

const byFacts = (table: string) => `
  select at, ${facts}, ms, run_ms as "runMs", gb_ms as "gbMs", micros
  from ${table} where account_id = ? and kind = ? and at >= ? and at < ?`;
const factsByHour = byFacts("spend_hour");
const factsByDay = byFacts("spend_day");

/** By hour or day and by all that is known of what was used, but not by resource. */
export function* spentByFacts({ accountId, kind, from, to, unit }: Window): Verb<Spent[]> {
  const sql = unit === "hour" ? factsByHour : factsByDay;
  const found = yield* rows<Omit<Spent, "resourceId">>(sql, accountId, kind, from, to);
  return found.map((each) => ({ ...each, resourceId: null }));
}

export type UsedRow = UsageRow & Pick<Spent, Fact>;
type Fact = "endpointId" | "gpuTypeId" | "dataCenterId" | "imageName" | "templateId";

const used = (whose: string) => `
  select id, account_id, kind, resource_id, running, disk_gb, rate, carry, began_at, metered_to,
    ${facts}
  from usage where ${whose} and id > ? and began_at < ? and metered_to > ?
  order by id limit ?`;
const usedByAll = used("account_id = ? and kind = ?");
// Nothing else is asked for there: it would tempt PostgreSQL to look through all of the account.
const usedByOne = used("resource_id = ?");

/** Usages of the window, or of one resource in it: at most so many with a greater id than `after`. */
export function* usedIn(
  { accountId, kind, from, to }: Window,
  resourceId: string | null,
  after: number,
  most: number,
): Verb<UsedRow[]> {
  if (resourceId === null)
    return yield* rows<UsedRow>(usedByAll, accountId, kind, after, to, from, most);
  return yield* rows<UsedRow>(usedByOne, resourceId, after, to, from, most);
}

/** What was charged for a usage, by the hours or days of the window. */
export function* spentOn(
  usage: UsedRow,
  { accountId, kind, from, to, unit }: Window,
): Generator<Spent> {
  if (usage.account_id !== accountId || usage.kind !== kind) return;
  const [first, last] = [Math.max(from, usage.began_at), Math.min(to, usage.metered_to)];
  const { resource_id: resourceId, running, disk_gb: diskGb } = usage;
  const { endpointId, gpuTypeId, dataCenterId, imageName, templateId } = usage;
  const whose = { resourceId, endpointId, gpuTypeId, dataCenterId, imageName, templateId };
  for (const slice of slices(intervalOf(usage), first, last, unit === "hour" ? HOUR_MS : DAY_MS)) {
    const { ms } = slice;
    yield { ...whose, ...slice, runMs: running === 1 ? ms : 0, gbMs: diskGb * ms };
  }
}

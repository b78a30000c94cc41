// What was spent, from the roll-ups that charging keeps: by everything but the resource from one of
// them, by resource from its own hours and days.

import { rows, type Verb } from "../statement.ts";
import type { UsageKind } from "./usage.ts";

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

const bySlices = (table: string, whose: string) => `
  select slice.at, resource_id as "resourceId", ${facts}, slice.ms,
    case when running = 1 then slice.ms else 0 end as "runMs", disk_gb * slice.ms as "gbMs",
    slice.micros
  from usage join ${table} slice on slice.usage_id = usage.id
  where account_id = ? and kind = ? ${whose} and slice.at >= ? and slice.at < ?`;
const one = "and resource_id = ?";
const slices = {
  hour: { all: bySlices("usage_hour", ""), one: bySlices("usage_hour", one) },
  day: { all: bySlices("usage_day", ""), one: bySlices("usage_day", one) },
};

/** The same by resource, a record for each time it changed as well; of one alone where it is named. */
export function* spentByResource(window: Window, resourceId: string | null): Verb<Spent[]> {
  const { accountId, kind, from, to, unit } = window;
  if (resourceId === null) return yield* rows<Spent>(slices[unit].all, accountId, kind, from, to);
  return yield* rows<Spent>(slices[unit].one, accountId, kind, resourceId, from, to);
}

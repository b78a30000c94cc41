// What was spent, from the roll-ups that charging keeps: by everything but the resource from one of
// them, by resource from its own hours and days.

import { HOUR_MS } from "../../domain/money/owed.ts";
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

const byFacts = (ms: number) => `
  select at / ${ms} * ${ms} as at, ${facts}, sum(ms) as ms, sum(run_ms) as "runMs",
    sum(gb_ms) as "gbMs", sum(micros) as micros
  from spend_hour where account_id = ? and kind = ? and at >= ? and at < ?
  group by 1, endpoint_id, gpu_type_id, data_center_id, image_name, template_id order by 1`;
const factsByHour = byFacts(HOUR_MS);
const factsByDay = byFacts(24 * HOUR_MS);

/** By hour or day and by all that is known of what was used, but not by resource. */
export function* spentByFacts({ accountId, kind, from, to, unit }: Window): Verb<Spent[]> {
  const sql = unit === "hour" ? factsByHour : factsByDay;
  const found = yield* rows<Omit<Spent, "resourceId">>(sql, accountId, kind, from, to);
  return found.map((each) => ({ ...each, resourceId: null }));
}

const bySlices = (table: string) => `
  select s.at, resource_id as "resourceId", ${facts}, sum(s.ms) as ms,
    sum(case when running = 1 then s.ms else 0 end) as "runMs", sum(disk_gb * s.ms) as "gbMs",
    sum(s.micros) as micros
  from usage join ${table} s on s.usage_id = usage.id
  where account_id = ? and kind = ? and (? = '' or resource_id = ?) and s.at >= ? and s.at < ?
  group by s.at, resource_id, endpoint_id, gpu_type_id, data_center_id, image_name, template_id
  order by s.at`;
const byHour = bySlices("usage_hour");
const byDay = bySlices("usage_day");

/** The same by resource; of one alone where it is named. */
export function* spentByResource(window: Window, resourceId: string | null): Verb<Spent[]> {
  const { accountId, kind, from, to, unit } = window;
  const only = resourceId ?? "";
  const sql = unit === "hour" ? byHour : byDay;
  return yield* rows<Spent>(sql, accountId, kind, only, only, from, to);
}

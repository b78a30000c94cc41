// Charging many usages by statements that each cover a range of ids, instead of one by one.

import { HOUR_MS } from "../../base/units.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";
import { diskPartOf, owedAt } from "./owed.ts";
import type { Charge } from "./roll-up.ts";
import { DIMENSIONS } from "./usage.ts";

/** Open usages with ids above `from` and up to `to`. */
export interface UsageRange {
  from: number;
  to: number;
}

const inRange = `ended_at is null and id > ? and id <= ?`;
const hourEnd = `(metered_to / ${HOUR_MS} + 1) * ${HOUR_MS}`;
const hour = `metered_from / ${HOUR_MS} * ${HOUR_MS}`;
const ms = "(metered_to - metered_from)";

/**
 * The id of the open usage at which a range of `size` that begins above `from` ends; null if fewer
 * follow.
 */
export function* endOfRange(from: number, size: number): Tx<number | null> {
  const last = yield* row<{ id: number }>(
    "select id from usage where ended_at is null and id > ? order by id limit 1 offset ?",
    from,
    size - 1,
  );
  return last?.id ?? null;
}

/**
 * Marks the usages of the range that are charged to less than `now` with a ledger transaction, and
 * moves each to `now`, at most to the end of the hour it is charged to.
 */
export function* advanceUsages(
  { from, to }: UsageRange,
  transaction: number,
  now: number,
): Tx<void> {
  // This waits for usages that another replica has locked. Skipping them would need a second
  // statement.
  yield* change(
    `update usage set pass = ?, metered_from = metered_to,
       metered_to = case when ${hourEnd} < ? then ${hourEnd} else ? end
     where ${inRange} and metered_to < ?`,
    transaction,
    now,
    now,
    from,
    to,
    now,
  );
}

/**
 * What a ledger transaction charged in the range. Summed, for many usages differ in nothing but
 * their resource.
 */
export function* chargesOf({ from, to }: UsageRange, transaction: number): Tx<Charge[]> {
  return yield* rows<Charge>(chargesOfPass, from, to, transaction);
}

const chargesOfPass = `
  select account_id as "accountId", kind, endpoint_id as "endpointId", gpu_type_id as "gpuTypeId",
    data_center_id as "dataCenterId", image_name as "imageName", template_id as "templateId",
    volume_type as "volumeType", key_id as "keyId", ${hour} as at, sum(running * ${ms}) as "runMs",
    sum(${ms}) as ms, sum(disk_gb * ${ms}) as "gbMs", sum(owed_to - owed_from) as micros,
    sum(${diskPartOf("owed_to")} - ${diskPartOf("owed_from")}) as "diskMicros"
  from (select account_id, kind, ${DIMENSIONS}, running, disk_gb, rate, disk_rate, metered_from, metered_to,
      ${owedAt("metered_to")} as owed_to, ${owedAt("metered_from")} as owed_from
    from usage where ${inRange} and pass = ?) as charged
  group by account_id, kind, ${DIMENSIONS}, ${hour}`;

// The tables `spend_hour` and `spend_day`: what was charged, summed by hour and day. Histories and
// budgets read these instead of the usages.

import { DAY_MS } from "../../base/units.ts";
import type { Attribution } from "../../domain/money/attribution.ts";
import { change, type Tx } from "../engine/statement.ts";
import { DIMENSIONS, type Metered } from "./usage.ts";

/** What was charged in one hour to usages with the same dimensions. */
export interface Charge
  extends Omit<
    Metered,
    keyof Attribution | "resourceId" | "gpus" | "running" | "diskGb" | "rate" | "diskRate"
  > {
  /** The beginning of the hour. */
  at: number;
  ms: number;
  /** The part of `ms` in which more than disks was billed. */
  runMs: number;
  /** Gigabytes of disk times milliseconds. */
  gbMs: number;
  micros: number;
  /** The part of `micros` that is for disks. */
  diskMicros: number;
}

/**
 * Adds charges to both roll-ups. The statements must run in this order, so they are not one
 * transaction.
 */
export function addSpend(charges: readonly Charge[]): Tx<void>[] {
  return [
    ...charges.map((charge) => addTo(spendHour, charge, charge.at)),
    ...charges.map((charge) => addTo(spendDay, charge, Math.floor(charge.at / DAY_MS) * DAY_MS)),
  ];
}

const spend = (table: string) => `
  insert into ${table} (account_id, kind, at, ${DIMENSIONS}, run_ms, ms, gb_ms, micros,
    disk_micros)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (account_id, kind, at, ${DIMENSIONS}) do update
    set run_ms = ${table}.run_ms + excluded.run_ms, ms = ${table}.ms + excluded.ms,
      gb_ms = ${table}.gb_ms + excluded.gb_ms, micros = ${table}.micros + excluded.micros,
      disk_micros = ${table}.disk_micros + excluded.disk_micros`;
const spendHour = spend("spend_hour");
const spendDay = spend("spend_day");

function* addTo(sql: string, charge: Charge, at: number): Tx<void> {
  yield* change(
    sql,
    charge.accountId,
    charge.kind,
    at,
    charge.endpointId,
    charge.gpuTypeId,
    charge.dataCenterId,
    charge.imageName,
    charge.templateId,
    charge.volumeType,
    charge.keyId,
    charge.runMs,
    charge.ms,
    charge.gbMs,
    charge.micros,
    charge.diskMicros,
  );
}

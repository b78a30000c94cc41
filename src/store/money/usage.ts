// Usages: how long something was as it was, and what that costs per hour. Whoever sees something
// begin, change or end says so here, in the turn that writes down what was seen.

import { leftOver, wholeUnits } from "../../domain/money/owed.ts";
import { change, row, type Verb } from "../statement.ts";
import { chargeTo } from "./charge.ts";
import { intervalOf, type UsageRow as Row, type UsageKind } from "./row.ts";

export interface Metered {
  accountId: string;
  kind: UsageKind;
  resourceId: string;
  /** Empty where there is none, as all the texts here. */
  endpointId: string;
  gpuTypeId: string;
  dataCenterId: string;
  imageName: string;
  templateId: string;
  /** Of the API key that it, or its endpoint, was made with. */
  keyId: string;
  /** False where only its disks are billed. */
  running: boolean;
  diskGb: number;
  /** Micro-dollars per hour. */
  rate: number;
}

/** From `at` on it costs this; what it cost until then is charged. The same again changes nothing. */
export function* meter(thing: Metered, at: number): Verb<void> {
  const last = yield* lastUsage(thing.resourceId);
  if (last?.ended_at === null && same(last, thing)) return;
  yield* follow(last, thing, at, false);
}

/** Closes what was, and begins what is. */
function* follow(
  last: Row | undefined,
  thing: Metered,
  at: number,
  continues: boolean,
): Verb<void> {
  const end = last && (yield* closeUsage(last, at));
  const beganAt = Math.max(at, end ?? at);
  const carry = last && end !== undefined ? leftOver(intervalOf(last), end) : 0;
  const columns = {
    account_id: thing.accountId,
    kind: thing.kind,
    resource_id: thing.resourceId,
    endpoint_id: thing.endpointId,
    gpu_type_id: thing.gpuTypeId,
    data_center_id: thing.dataCenterId,
    image_name: thing.imageName,
    template_id: thing.templateId,
    key_id: thing.keyId,
    running: Number(thing.running),
    disk_gb: thing.diskGb,
    rate: thing.rate,
    carry,
    continues: Number(continues),
    began_at: beganAt,
    metered_from: beganAt,
    metered_to: beganAt,
  };
  const names = Object.keys(columns);
  yield* change(
    `insert into usage (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
    ...Object.values(columns),
  );
}

/** From `at` on only its disks are billed; what was never metered is not there to be kept. */
export function* meterDisks(
  resourceId: string,
  { rate, diskGb }: Pick<Metered, "rate" | "diskGb">,
  at: number,
): Verb<void> {
  const last = yield* lastBefore(resourceId, at);
  if (last?.ended_at !== null) return;
  if (diskGb === 0) return void (yield* closeUsage(last, at));
  yield* meter({ ...thingOf(last), running: false, diskGb, rate }, at);
}

/**
 * From `at` on what it does now costs this; what does not go on, or has no rate here, is left alone. An end before `at` that
 * is heard of later undoes it.
 */
export function* reprice(
  resourceId: string,
  rates: { running?: number; stopped?: number },
  at: number,
): Verb<void> {
  const last = yield* lastUsage(resourceId);
  if (last?.ended_at !== null) return;
  const rate = last.running === 1 ? rates.running : rates.stopped;
  if (rate === undefined || rate === last.rate) return;
  yield* follow(last, { ...thingOf(last), rate }, at, true);
}

/** From `at` on it costs nothing; what is billed in whole units, the last one is billed whole. */
export function* endMeter(resourceId: string, at: number, unitMs = 1): Verb<void> {
  const last = yield* lastBefore(resourceId, at);
  if (last?.ended_at !== null) return;
  const beganAt = unitMs === 1 ? last.began_at : yield* beginningOf(last);
  yield* closeUsage(last, wholeUnits(beganAt, at, unitMs));
}

/** Ends a usage, unless that was done, and charges all of it; returns when it ended. */
function* closeUsage(usage: Row, at: number): Verb<number> {
  if (usage.ended_at !== null) return usage.ended_at;
  const end = Math.max(at, usage.began_at);
  yield* chargeTo(usage, end, end);
  yield* change("update usage set ended_at = ? where id = ?", end, usage.id);
  return end;
}

function* lastUsage(resourceId: string): Verb<Row | undefined> {
  return yield* row<Row>(
    "select * from usage where resource_id = ? order by id desc limit 1 /*+ for update */",
    resourceId,
  );
}

/** What ends at `at`: prices of later on are undone, for it did not live to see them. */
function* lastBefore(resourceId: string, at: number): Verb<Row | undefined> {
  let last = yield* lastUsage(resourceId);
  while (last?.continues === 1 && last.ended_at === null && last.began_at > at) {
    last = yield* undo(last);
  }
  return last;
}

/** As though the one before had gone on; nothing is left of what was charged. */
function* undo(usage: Row): Verb<Row> {
  yield* chargeTo(usage, usage.began_at, usage.began_at);
  yield* change("delete from usage where id = ?", usage.id);
  const before = yield* continuedBy(usage);
  yield* change("update usage set ended_at = null where id = ?", before.id);
  return { ...before, ended_at: null };
}

/** The one that it continues. */
function* continuedBy(usage: Row): Verb<Row> {
  const found = yield* row<Row>(
    "select * from usage where resource_id = ? and id < ? order by id desc limit 1",
    usage.resource_id,
    usage.id,
  );
  return found!;
}

/** Of what goes on in it, at whatever price. */
function* beginningOf(usage: Row): Verb<number> {
  let first = usage;
  while (first.continues === 1) first = yield* continuedBy(first);
  return first.began_at;
}

function thingOf(usage: Row): Metered {
  return {
    accountId: usage.account_id,
    kind: usage.kind,
    resourceId: usage.resource_id,
    endpointId: usage.endpoint_id,
    gpuTypeId: usage.gpu_type_id,
    dataCenterId: usage.data_center_id,
    imageName: usage.image_name,
    templateId: usage.template_id,
    keyId: usage.key_id,
    running: usage.running === 1,
    diskGb: usage.disk_gb,
    rate: usage.rate,
  };
}

function same(usage: Row, thing: Metered): boolean {
  return (
    usage.rate === thing.rate &&
    usage.running === Number(thing.running) &&
    usage.disk_gb === thing.diskGb &&
    usage.gpu_type_id === thing.gpuTypeId
  );
}

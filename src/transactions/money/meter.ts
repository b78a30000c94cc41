// Meters a resource. The transaction that records that a resource began, changed or ended calls
// this, so that its usages and charges commit with it.

import { HOUR_MS } from "../../base/units.ts";
import { type Attribution, isSameAttribution } from "../../domain/money/attribution.ts";
import { isSameMinute, leftOver, slices, wholeUnits } from "../../domain/money/owed.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { openTransaction } from "../../store/ledger/ledger.ts";
import {
  deleteUsage,
  insertUsage,
  intervalOf,
  lockLastUsage,
  type Metered,
  type MeteredUsage,
  setAttribution,
  setMeteredTo,
  setUsageEnd,
  usageBefore,
} from "../../store/usage/usage.ts";
import { postCharges } from "./post-charges.ts";

/** What a resource costs per hour, and the part of it that is for disks. */
export type Rate = Pick<Metered, "rate" | "diskRate">;

/**
 * Sets the cost of the resource from `at` on, and charges its cost until then. Repeating a call
 * changes nothing.
 */
export function* meter(metered: Metered, at: number): Tx<void> {
  const last = yield* lockLastUsage(metered.resourceId);
  if (last?.endedAt === null && isSame(last, metered)) return;
  yield* follow(last, metered, at, false);
}

/** Closes the last usage and opens the next one. */
function* follow(
  last: MeteredUsage | undefined,
  metered: Metered,
  at: number,
  continues: boolean,
): Tx<void> {
  const end = last && (yield* closeUsage(last, at));
  const beganAt = Math.max(at, end ?? at);
  const carry = last && end !== undefined ? leftOver(intervalOf(last), end) : 0;
  yield* insertUsage({ ...metered, carry, continues, beganAt });
}

/**
 * From `at` on, only the resource's disks are billed. Does nothing for a resource that was never
 * metered.
 */
export function* meterDisks(
  resourceId: string,
  { rate, diskGb, ...owner }: Pick<Metered, "rate" | "diskGb"> & Partial<Attribution>,
  at: number,
): Tx<void> {
  const last = yield* lockLastBefore(resourceId, at);
  if (last?.endedAt !== null) return;
  if (diskGb === 0) return void (yield* closeUsage(last, at));
  yield* meter({ ...last, ...owner, running: false, gpus: 0, diskGb, rate, diskRate: rate }, at);
}

/**
 * Sets the cost of the resource from `at` on. Does nothing for a resource that is not metered now
 * or has no rate. If an end before `at` is reported later, the change is undone.
 */
export function* reprice(
  resourceId: string,
  rates: { running?: Rate; stopped?: Rate },
  at: number,
): Tx<void> {
  const last = yield* lockLastUsage(resourceId);
  if (last?.endedAt !== null) return;
  const rate = last.running ? rates.running : rates.stopped;
  if (rate === undefined || (rate.rate === last.rate && rate.diskRate === last.diskRate)) return;
  yield* follow(last, { ...last, ...rate }, at, true);
}

/**
 * From `at` on, the cost of the resource counts for other labels or another owner; what it cost before stays. A usage that
 * began in the same minute changes as a whole, so that a resource whose labels change all the time has at most one usage and
 * one charge a minute for that.
 */
export function* attribute(resourceId: string, to: Attribution, at: number): Tx<void> {
  const last = yield* lockLastUsage(resourceId);
  if (last?.endedAt !== null || isSameAttribution(last, to)) return;
  const { ownerId, labels } = to;
  if (isSameMinute(last.beganAt, at)) yield* setAttribution(last.id, to);
  else yield* follow(last, { ...last, ownerId, labels }, at, true);
}

/**
 * Stops billing at `at`. If the resource is billed in whole units, the last unit is billed whole.
 */
export function* endMeter(resourceId: string, at: number, unitMs = 1): Tx<void> {
  const last = yield* lockLastBefore(resourceId, at);
  if (last?.endedAt !== null) return;
  const beganAt = unitMs === 1 ? last.beganAt : yield* beginningOf(last);
  yield* closeUsage(last, wholeUnits(beganAt, at, unitMs));
}

/** Ends a usage, unless it has ended, and charges all of it; returns its end. */
function* closeUsage(usage: MeteredUsage, at: number): Tx<number> {
  if (usage.endedAt !== null) return usage.endedAt;
  const end = Math.max(at, usage.beganAt);
  yield* chargeTo(usage, end, end);
  yield* setUsageEnd(usage.id, end);
  return end;
}

/**
 * The usage in which the resource ended at `at`; later changes of its price or its labels are undone,
 * because the resource ended before them.
 */
function* lockLastBefore(resourceId: string, at: number): Tx<MeteredUsage | undefined> {
  let last = yield* lockLastUsage(resourceId);
  while (last?.continues && last.endedAt === null && last.beganAt > at) last = yield* undo(last);
  return last;
}

/** Deletes a usage, refunds its charges, and continues the usage before it. */
function* undo(usage: MeteredUsage): Tx<MeteredUsage> {
  yield* chargeTo(usage, usage.beganAt, usage.beganAt);
  yield* deleteUsage(usage.id);
  const before = yield* usageBefore(usage);
  yield* setUsageEnd(before.id, null);
  return { ...before, endedAt: null };
}

/** When the resource entered its current kind of use, at any price. */
function* beginningOf(usage: MeteredUsage): Tx<number> {
  let first = usage;
  while (first.continues) first = yield* usageBefore(first);
  return first.beganAt;
}

function isSame(usage: MeteredUsage, metered: Metered): boolean {
  return (
    usage.rate === metered.rate &&
    usage.diskRate === metered.diskRate &&
    usage.running === metered.running &&
    usage.diskGb === metered.diskGb &&
    usage.gpuTypeId === metered.gpuTypeId &&
    usage.gpus === metered.gpus
  );
}

/**
 * A usage is charged up to its `meteredTo`. Charging moves that instant and posts the difference of what is owed
 * there and here, so nothing is charged twice, and moving it back returns exactly the excess. Charges a usage
 * that this transaction has locked, up to an instant or back to it.
 */
function* chargeTo(usage: MeteredUsage, to: number, now: number): Tx<void> {
  const from = usage.meteredTo;
  if (from === to) return;
  const charges = [...slices(intervalOf(usage), from, to, HOUR_MS)].map((slice) => {
    const { ms } = slice;
    return { ...usage, ...slice, runMs: usage.running ? ms : 0, gbMs: usage.diskGb * ms };
  });
  const transaction = yield* openTransaction(now, "usage");
  yield* setMeteredTo(usage.id, to);
  yield* postCharges(transaction, charges);
}

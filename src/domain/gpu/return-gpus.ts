// Whether GPUs in quarantine go back to placement by themselves: after a cool-down in which every reading was clean. Pure.

import { DAY_MS, MINUTE_MS } from "../../base/units.ts";
import type { GpuLimits, ReadGpu } from "./checks.ts";
import { errorKindOf, lastsForever } from "./gpu-error.ts";
import { passesSince } from "./gpu-test.ts";
import type { GpuHealth } from "./health-record.ts";
import { type MemoryErrors, memoryErrorsOf, riseOf } from "./memory-errors.ts";

/** The clean readings of a quarantined GPU since an instant, without another one between them. */
export interface CleanReadings {
  since: number;
  count: number;
  /** The counters of the first one; null for a GPU that has none. */
  memoryErrors: MemoryErrors | null;
}

interface Reading {
  gpus: readonly ReadGpu[];
  /** The UUIDs of the GPUs among them that have a fault. */
  faulty: ReadonlySet<string>;
  /** The UUIDs of GPUs whose driver did not answer in time: they are neither clean nor not. Absent for none. */
  silent?: ReadonlySet<string>;
}

type ReturnLimits = Pick<GpuLimits, "returnMinutes" | "cleanReadings" | "returnTests">;

interface Outcome {
  health: GpuHealth;
  /** The GPUs that go back, by UUID. */
  returned: string[];
  /** The GPUs that are to be tested before they may go back, by UUID. */
  untested: string[];
  /** Whether another reading may bring a GPU back. */
  isWaiting: boolean;
}

const WEEK_MS = 7 * DAY_MS;
/** A GPU that was put in quarantine again after so many returns within a week stays until an operator returns it. */
const MAX_RETURNS = 2;

export function decideReturns(
  before: GpuHealth,
  reading: Reading,
  { now, limits }: { now: number; limits: ReturnLimits },
): Outcome {
  const { quarantines = {}, returns = {} } = before;
  const cleanReadings: Record<string, CleanReadings> = {};
  const returned: string[] = [];
  const untested: string[] = [];
  let isWaiting = false;
  for (const [uuid, quarantine] of Object.entries(quarantines)) {
    const recent = (returns[uuid] ?? []).filter((at) => at > now - WEEK_MS);
    if (limits.returnMinutes === 0 || recent.length >= MAX_RETURNS) continue;
    if (lastsForever(quarantine.code)) continue;
    isWaiting = true;
    if (reading.silent?.has(uuid)) {
      const previous = before.cleanReadings?.[uuid];
      if (previous) cleanReadings[uuid] = previous;
      continue;
    }
    const clean = addReading(before, uuid, reading, now);
    if (clean === null) continue;
    cleanReadings[uuid] = clean;
    const coolDownMs = limits.returnMinutes * MINUTE_MS * 2 ** recent.length;
    const cooledAt = clean.since + coolDownMs;
    if (clean.count < limits.cleanReadings || now < cooledAt) continue;
    // A pass from before the cool-down says nothing about the errors that began it.
    if (passesSince(before, uuid, cooledAt) >= limits.returnTests) returned.push(uuid);
    else if (mayTest(before, uuid, now)) untested.push(uuid);
  }
  return { health: { ...before, cleanReadings }, returned, untested, isWaiting };
}

/** Some minutes lie between two tests. */
const TEST_PAUSE_MS = 5 * MINUTE_MS;

/** After the operator cancelled a test of this quarantine, the next one is theirs to request. */
function mayTest({ tests = {}, quarantines = {} }: GpuHealth, uuid: string, now: number): boolean {
  const test = tests[uuid];
  if (!test) return true;
  if (test.result === null) return false;
  const { outcome, at } = test.result;
  const isCancelled = outcome === "cancelled" && at >= quarantines[uuid]!.at;
  return !isCancelled && now >= at + TEST_PAUSE_MS;
}

/** Null if the reading is not clean. */
function addReading(
  { cleanReadings = {}, errors = {}, quarantines = {} }: GpuHealth,
  uuid: string,
  { gpus, faulty }: Reading,
  now: number,
): CleanReadings | null {
  const gpu = gpus.find((each) => each.uuid === uuid);
  if (!gpu || faulty.has(uuid)) return null;
  if (gpu.readings.rowRemapPending || gpu.readings.pageRetirementPending) return null;
  const memoryErrors = memoryErrorsOf([gpu])[uuid] ?? null;
  const previous = Object.hasOwn(cleanReadings, uuid) ? cleanReadings[uuid] : undefined;
  const quarantinedAt = quarantines[uuid]?.at ?? now;
  const isNew = previous === undefined || previous.since < quarantinedAt;
  const clean = isNew ? { since: now, count: 0, memoryErrors } : previous;
  const hasRisen =
    clean.memoryErrors !== null &&
    memoryErrors !== null &&
    riseOf(clean.memoryErrors, memoryErrors) > 0;
  const hasErrors = (errors[uuid] ?? []).some(
    ({ code, lastAt }) => lastAt > clean.since && errorKindOf(code).effect !== "count",
  );
  if (hasRisen || hasErrors) return null;
  return { ...clean, count: clean.count + 1 };
}

// Uncorrectable errors of a GPU's memory, as its counters rise from one reading to the next. Pure.

import type { ReadGpu } from "./checks.ts";
import type { GpuHealth, Quarantine } from "./health-record.ts";

/** The counters of one GPU; null for one that it does not have. */
export interface MemoryErrors {
  /** Since the driver was loaded, or the GPU was reset. */
  recent: number | null;
  lifetime: number | null;
}

/** The counters of the GPUs that have any, by UUID. */
export function memoryErrorsOf(gpus: readonly ReadGpu[]): Record<string, MemoryErrors> {
  const counted = gpus.map(({ uuid, readings: { eccErrors, lifetimeEccErrors } }) => {
    return [uuid, { recent: eccErrors, lifetime: lifetimeEccErrors }] as const;
  });
  const isEmpty = ({ recent, lifetime }: MemoryErrors) => recent === null && lifetime === null;
  return Object.fromEntries(counted.filter(([, errors]) => !isEmpty(errors)));
}

/** A GPU that is read for the first time has its earlier errors behind it. */
export function applyMemoryErrors(
  before: GpuHealth,
  read: Readonly<Record<string, MemoryErrors>>,
  { at, limit }: { at: number; limit: number },
): { health: GpuHealth; quarantined: [uuid: string, Quarantine][] } {
  const { memoryErrors = {}, quarantines = {} } = before;
  const quarantined = Object.entries(read).flatMap(([uuid, after]): [string, Quarantine][] => {
    const previous = Object.hasOwn(memoryErrors, uuid) ? memoryErrors[uuid] : undefined;
    const rise = previous ? riseOf(previous, after) : 0;
    if (rise < Math.max(1, limit) || Object.hasOwn(quarantines, uuid)) return [];
    const errors = rise === 1 ? "an uncorrectable error" : `${rise} uncorrectable errors`;
    const reason = `its memory had ${errors} since the reading before`;
    const recommendation = "reset the GPU while nothing runs on it";
    return [[uuid, { code: "ecc_uncorrectable", at, reason, recommendation }]];
  });
  const health = {
    ...before,
    memoryErrors: { ...memoryErrors, ...read },
    ...(quarantined.length > 0 && {
      quarantines: { ...quarantines, ...Object.fromEntries(quarantined) },
    }),
  };
  return { health, quarantined };
}

/** The lifetime's counter outlasts a reset, which sets the other one to 0. */
export function riseOf(before: MemoryErrors, after: MemoryErrors): number {
  const rise = (a: number | null, b: number | null) =>
    a === null || b === null ? 0 : Math.max(0, b - a);
  return Math.max(rise(before.lifetime, after.lifetime), rise(before.recent, after.recent));
}

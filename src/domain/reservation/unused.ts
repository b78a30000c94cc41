// When a reservation that is not used is released: after a warning, and never while its holder could not use it. Pure.

import { MINUTE_MS } from "../../base/units.ts";
import type { KeptGpus } from "./lent.ts";
import type { Reservation } from "./reservation.ts";

type Watched = Pick<Reservation, "until" | "unusedSince" | "warnedAt">;

/** begin: it is not used from now on. use: it is used again. */
export type UnusedStep = "begin" | "use" | "warn" | "release";

/** Null while nothing changes. `minutes` is how long it may be unused. */
export function decideUnused(
  reservation: Watched,
  use: UsableUse & { isAwaited?: boolean },
  minutes: number,
  at: number,
): UnusedStep | null {
  const { unusedSince, warnedAt, until } = reservation;
  const { isAwaited = false } = use;
  if (!isIdle(use) || isAwaited) return unusedSince === null ? null : "use";
  if (unusedSince === null) return "begin";
  const releasesAt = releaseTime(reservation, minutes)!;
  if (releasesAt >= until) return null;
  if (warnedAt === null) return at >= unusedSince + warningMs(minutes) ? "warn" : null;
  return at >= releasesAt ? "release" : null;
}

type UsableUse = Pick<KeptGpus, "used" | "free" | "lent">;

/** Whether none of its GPUs are in use though some can be: while others hold all of them, its holder waits for them. */
export const isIdle = ({ used, free, lent }: UsableUse): boolean => used === 0 && free + lent > 0;

/** When it is released if nothing happens; null while it is used. After a pause of the service the warning comes first. */
export function releaseTime(
  { unusedSince, warnedAt }: Pick<Reservation, "unusedSince" | "warnedAt">,
  minutes: number,
): number | null {
  if (unusedSince === null) return null;
  return Math.max(unusedSince + minutes * MINUTE_MS, (warnedAt ?? 0) + warningMs(minutes));
}

/** When it is released unless it is used; null if it ends before. */
export function scheduledRelease(reservation: Watched, minutes: number): number | null {
  const at = releaseTime(reservation, minutes);
  return at !== null && at < reservation.until ? at : null;
}

const warningMs = (minutes: number) => (minutes * MINUTE_MS) / 2;

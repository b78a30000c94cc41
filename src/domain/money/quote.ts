// A quote: the price of a resource before its creation. Amounts are micro-dollars per hour.

import type { PassedOver } from "../fault.ts";

export interface Quote {
  kind: "pod" | "endpoint" | "networkVolume";
  /** Why it cannot be placed now; null if it can. */
  passedOver: readonly PassedOver[] | null;
  /** Why its cost would be refused; null if it would not. */
  refused: { code: string; sentence: string } | null;
  gpuTypeId: string | null;
  gpuCount: number;
  cpuFlavorId: string | null;
  /** The cost of compute, for a Pod or for one worker. */
  compute: number;
  /** The part of `compute` that existing savings plans would pay. */
  paidAhead: number;
  /** The hourly charge while it runs: with its disks, without what savings plans pay. */
  running: number;
  /** The hourly charge while a Pod is stopped: its volume. */
  stopped: number;
  /** The minimum and maximum numbers of an endpoint's workers. */
  workers: { min: number; max: number } | null;
  /** The cost on other requested GPU types. */
  alternatives: { gpuTypeId: string; compute: number; available: boolean }[];
}

/** The requested types, or all types if none was requested, without the type that it would get. */
export function alternativesOf(
  requested: readonly string[],
  all: readonly string[],
  chosen: string | null,
): string[] {
  return (requested.length > 0 ? requested : all).filter((id) => id !== chosen);
}

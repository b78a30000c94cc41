// A Pod whose image cannot be pulled gives its CPUs, memory and disk to others between its tries, and takes
// them again when it is started. Its GPUs stay reserved. Pure.

import type { EndCause } from "../../container/end-cause.ts";
import type { Pod } from "../pod.ts";

/** Failed starts after which a Pod yields its place; the first retry follows within a second. */
export const STARTS_BEFORE_YIELD = 2;

/** The last failures that say nothing about when a start could succeed. */
export const yieldingCauses = [
  "image_not_found",
  "image_unauthorised",
  "registry_away",
  "no_room",
] as const satisfies EndCause[];

const causes: ReadonlySet<EndCause | null> = new Set(yieldingCauses);

/** Whether its place is not counted as taken; transactions hold the same in SQL. */
export function yieldsPlace({ desired, observed, backoff: { failedStarts } }: Pod): boolean {
  if (desired.state !== "RUNNING" || observed.state !== "none" || !failedStarts) return false;
  return failedStarts.count >= STARTS_BEFORE_YIELD && causes.has(failedStarts.cause);
}

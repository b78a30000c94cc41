// Decides whether a Pod has used up its disk, if no engine enforces the limit. Pure.

import { GIB } from "../../base/units.ts";
import type { PodSpec } from "./spec.ts";

export interface DiskUse {
  diskBytes: number | null;
  /** In the Pod's own volume. */
  volumeBytes: number | null;
}

/** The sentence that says what is full, or null. `enforced`: the engine limits the container disk. */
export function whatIsFull(
  { containerDiskInGb, volumeInGb }: Pick<PodSpec, "containerDiskInGb" | "volumeInGb">,
  { diskBytes, volumeBytes }: DiskUse,
  enforced: boolean,
): string | null {
  if (!enforced && (diskBytes ?? 0) >= containerDiskInGb * GIB) {
    return `its container's disk of ${containerDiskInGb} GB is full`;
  }
  if (volumeInGb > 0 && (volumeBytes ?? 0) >= volumeInGb * GIB) {
    return `its volume of ${volumeInGb} GB is full`;
  }
  return null;
}

// Whether a Pod has used up the disk it was given, where no engine holds it to that. Pure.

import type { PodSpec } from "./pod.ts";

/** As engines count the gigabytes of a limit. */
const GB = 2 ** 30;

export interface DiskUse {
  diskBytes: number | null;
  /** Of the Pod's own volume. */
  volumeBytes: number | null;
}

/** Null where there is room left. `enforced`: the engine limits the container's own disk. */
export function whatIsFull(
  { containerDiskInGb, volumeInGb }: Pick<PodSpec, "containerDiskInGb" | "volumeInGb">,
  { diskBytes, volumeBytes }: DiskUse,
  enforced: boolean,
): string | null {
  if (!enforced && (diskBytes ?? 0) >= containerDiskInGb * GB) {
    return `its container's disk of ${containerDiskInGb} GB is full`;
  }
  if (volumeInGb > 0 && (volumeBytes ?? 0) >= volumeInGb * GB) {
    return `its volume of ${volumeInGb} GB is full`;
  }
  return null;
}

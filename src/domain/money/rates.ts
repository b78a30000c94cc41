// Hourly costs of resources, in micro-dollars. Disks are priced per month, and a month has 730
// hours.

import type { Catalog } from "../catalog/catalog.ts";

const HOURS_PER_MONTH = 730;
const GB_PER_TB = 1_000;

export interface PodRates {
  /** Compute and disks. */
  running: number;
  /** The volume alone, which remains while the Pod is stopped. */
  stopped: number;
}

export interface Disks {
  containerDiskInGb: number;
  volumeInGb: number;
}

/** `compute` is the hourly cost of the Pod's compute. */
export function podRates({ storage }: Catalog, compute: number, disks: Disks): PodRates {
  const { containerDiskInGb, volumeInGb } = disks;
  const monthly = containerDiskInGb * storage.containerDisk + volumeInGb * storage.volumeRunning;
  return {
    running: compute + perHour(monthly),
    stopped: perHour(volumeInGb * storage.volumeStopped),
  };
}

/** The first 1,000 GB of a network volume have their own price. */
export function networkVolumeRate({ storage }: Catalog, sizeGb: number): number {
  const beyond = Math.max(0, sizeGb - GB_PER_TB);
  const first = sizeGb - beyond;
  return perHour(first * storage.networkVolume + beyond * storage.networkVolumeBeyond);
}

const perHour = (monthly: number) => Math.round(monthly / HOURS_PER_MONTH);

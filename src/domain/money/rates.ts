// What things cost per hour, in micro-dollars. Disks have prices per month, and a month has 730 hours.

import type { Catalog } from "../catalog/catalog.ts";

const HOURS_PER_MONTH = 730;
const GB_PER_TB = 1_000;

export interface PodRates {
  /** With its disks. */
  running: number;
  /** Of the volume alone: what is in it stays. */
  stopped: number;
}

export interface Disks {
  containerDiskInGb: number;
  volumeInGb: number;
}

/** `compute` is what the Pod itself costs per hour. */
export function podRates({ storage }: Catalog, compute: number, disks: Disks): PodRates {
  const { containerDiskInGb, volumeInGb } = disks;
  const monthly = containerDiskInGb * storage.containerDisk + volumeInGb * storage.volumeRunning;
  return {
    running: compute + perHour(monthly),
    stopped: perHour(volumeInGb * storage.volumeStopped),
  };
}

/** The first terabyte of a network volume has a price of its own. */
export function networkVolumeRate({ storage }: Catalog, sizeGb: number): number {
  const beyond = Math.max(0, sizeGb - GB_PER_TB);
  const first = sizeGb - beyond;
  return perHour(first * storage.networkVolume + beyond * storage.networkVolumeBeyond);
}

const perHour = (monthly: number) => Math.round(monthly / HOURS_PER_MONTH);

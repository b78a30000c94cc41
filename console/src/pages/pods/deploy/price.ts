// What a Pod will cost per hour, by the catalog's prices, before it is there.

import type { Schema } from "../../../api/client.ts";
import type { Wish } from "./wish.ts";

const HOURS_PER_MONTH = 730;

export interface Price {
  /** Dollars per hour of its GPUs or CPUs; null where any type may be taken. */
  compute: number | null;
  /** Dollars per hour of its disks. */
  disks: number;
}

export interface Catalog {
  gpuTypes: Schema["GpuType"][];
  cpuFlavors: Schema["CpuFlavor"][];
  storage: Schema["StoragePrices"];
}

/** Dollars per GPU and hour. */
export function gpuPrice(type: Schema["GpuType"], wish: Pick<Wish, "cloudType" | "spot">): number {
  if (wish.cloudType === "SECURE") return wish.spot ? type.secureSpotPrice : type.securePrice;
  return wish.spot ? type.communitySpotPrice : type.communityPrice;
}

export function priceOf(wish: Wish, { gpuTypes, cpuFlavors, storage }: Catalog): Price {
  const container = wish.containerDisk === "" ? 50 : Number(wish.containerDisk);
  const own = wish.volume === "" ? 20 : Number(wish.volume);
  const volume = wish.networkVolumeId ? 0 : own;
  const monthly = container * storage.containerDisk + volume * storage.volumeRunning;
  const disks = monthly / HOURS_PER_MONTH;
  if (wish.compute === "CPU") {
    const flavor = cpuFlavors.find(({ id }) => id === wish.cpuFlavorId);
    return { compute: flavor ? flavor.pricePerVcpu * wish.vcpuCount : null, disks };
  }
  const type = gpuTypes.find(({ id }) => id === wish.gpuTypeIds[0]);
  return { compute: type ? gpuPrice(type, wish) * wish.gpuCount : null, disks };
}

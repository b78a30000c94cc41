// Prices of GPUs, as the board of them shows them.

import type { Schema } from "../../../api/client.ts";
import type { Wish } from "./wish.ts";

export interface Catalog {
  gpuTypes: Schema["GpuType"][];
  cpuFlavors: Schema["CpuFlavor"][];
}

/** Dollars per GPU and hour. */
export function gpuPrice(type: Schema["GpuType"], wish: Pick<Wish, "cloudType" | "spot">): number {
  if (wish.cloudType === "SECURE") return wish.spot ? type.secureSpotPrice : type.securePrice;
  return wish.spot ? type.communitySpotPrice : type.communityPrice;
}

// GPU prices of the catalog.

import type { Schema } from "../../../api/client.ts";
import type { PodDraft } from "./pod-draft.ts";
import type { StockByType } from "./stock.ts";

export interface Catalog {
  gpuTypes: Schema["GpuType"][];
  cpuFlavors: Schema["CpuFlavor"][];
  stock: StockByType;
}

/** Dollars per GPU-hour. */
export function gpuPrice(
  type: Schema["GpuType"],
  draft: Pick<PodDraft, "cloudType" | "spot">,
): number {
  if (draft.cloudType === "SECURE") return draft.spot ? type.secureSpotPrice : type.securePrice;
  return draft.spot ? type.communitySpotPrice : type.communityPrice;
}

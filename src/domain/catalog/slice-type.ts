// The GPU types of MIG devices, derived from those of the whole GPUs. Pure.

import type { Catalog, GpuPrices, GpuType } from "./catalog.ts";
import { parseSliceType } from "./slice-name.ts";

/** Null for the id of a whole GPU, and if the catalog does not have the whole GPU. */
export function sliceTypeOf({ gpuTypes }: Pick<Catalog, "gpuTypes">, id: string): GpuType | null {
  const name = parseSliceType(id);
  const whole = name && gpuTypes.find((type) => type.id === name.whole);
  if (!name || !whole) return null;
  const { profile, memoryInGb } = name;
  const displayName = `${whole.displayName} MIG ${profile}`;
  const prices = pricesOf(whole.prices, Math.min(1, memoryInGb / whole.memoryInGb));
  return { ...whole, id, displayName, memoryInGb, pool: null, prices };
}

/** A slice costs as much of the whole GPU's price as it has of its memory. */
function pricesOf(prices: GpuPrices, share: number): GpuPrices {
  const part = (micros: number) => Math.round(micros * share);
  const { threeMonth, sixMonth } = prices;
  return {
    secure: part(prices.secure),
    community: part(prices.community),
    secureSpot: part(prices.secureSpot),
    communitySpot: part(prices.communitySpot),
    serverless: part(prices.serverless),
    threeMonth: threeMonth === null ? null : part(threeMonth),
    sixMonth: sixMonth === null ? null : part(sixMonth),
  };
}

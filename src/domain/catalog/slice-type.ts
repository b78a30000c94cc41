// The GPU types of MIG devices and of shares, derived from those of the whole GPUs. Pure.

import type { Catalog, GpuPrices, GpuType } from "./catalog.ts";
import { parsePartType } from "./slice-name.ts";

/** Null for the id of a whole GPU, and if the catalog does not have the whole GPU. */
export function sliceTypeOf({ gpuTypes }: Pick<Catalog, "gpuTypes">, id: string): GpuType | null {
  const name = parsePartType(id);
  const whole = name && gpuTypes.find((type) => type.id === name.whole);
  if (!name || !whole) return null;
  const { part, memoryInGb } = name;
  const displayName = `${whole.displayName} ${part}`;
  const prices = pricesOf(whole.prices, name.shareOf(whole.memoryInGb));
  return { ...whole, id, displayName, memoryInGb, pool: null, prices };
}

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

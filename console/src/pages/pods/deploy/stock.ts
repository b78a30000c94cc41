// The GPUs of a type on machines that accept new work.

import type { Schema } from "../../../api/client.ts";

export interface Stock {
  free: number;
  /** Whether all GPUs of the type are virtual. */
  virtual: boolean;
}

export type StockByType = ReadonlyMap<string, Stock>;

export function stockOf(machines: Schema["Machine"][]): StockByType {
  const stock = new Map<string, Stock>();
  for (const { online, draining, gpus } of machines) {
    if (!online || draining) continue;
    for (const { gpuTypeId, free, virtual } of gpus) {
      const { free: before = 0, virtual: isVirtual = true } = stock.get(gpuTypeId) ?? {};
      stock.set(gpuTypeId, { free: before + free, virtual: isVirtual && virtual });
    }
  }
  return stock;
}

export const hasRealGpus = (stock: StockByType) =>
  [...stock.values()].some(({ virtual }) => !virtual);

/** Groups by memory, the smallest first: their name, and the most memory in GB. */
export const memoryGroups: [name: string, mostGb: number][] = [
  ["Up to 16 GB", 16],
  ["20 to 24 GB", 24],
  ["32 to 48 GB", 48],
  ["80 to 96 GB", 96],
  ["More than 96 GB", Number.POSITIVE_INFINITY],
];

// The GPU types with the memory that a template needs.

import type { Schema } from "../../../api/client.ts";
import { stockOf } from "./stock.ts";

/** The suitable GPU types that are free now, or all if none is. */
export function suitableGpus(
  types: Schema["GpuType"][],
  machines: Schema["Machine"][],
  { minGpuMemoryInGb = 0 }: Pick<Schema["Template"], "minGpuMemoryInGb">,
): Schema["GpuType"][] {
  const stock = stockOf(machines);
  const large = types.filter(({ memoryInGb }) => memoryInGb >= minGpuMemoryInGb);
  const free = large.filter(({ id }) => (stock.get(id)?.free ?? 0) > 0);
  return free.length > 0 ? free : large;
}

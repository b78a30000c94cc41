// The short notation for GPU types: pools by commas, without those members that follow a "-".

import type { Catalog } from "./catalog.ts";

/** `AMPERE_24,-NVIDIA L4` for the pool without one of its types; a type without a pool is itself. */
export function gpuIdsOf({ gpuTypes }: Catalog, gpuTypeIds: readonly string[]): string {
  const parts: string[] = [];
  const left = new Set(gpuTypeIds);
  for (const id of gpuTypeIds) {
    if (!left.has(id)) continue;
    const pool = gpuTypes.find((type) => type.id === id)?.pool;
    if (!pool) {
      parts.push(id);
      left.delete(id);
      continue;
    }
    const members = gpuTypes.filter((type) => type.pool === pool).map((type) => type.id);
    const without = members.filter((member) => !left.has(member));
    parts.push(pool, ...without.map((member) => `-${member}`));
    for (const member of members) left.delete(member);
  }
  return parts.join(",");
}

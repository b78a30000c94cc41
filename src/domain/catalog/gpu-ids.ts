// The short notation for lists of GPU types: pool ids separated by commas; a "-" excludes a type of
// a pool.

import type { Catalog } from "./catalog.ts";

/**
 * Formats a list: `AMPERE_24,-NVIDIA L4` is a pool without one of its types. A type without a pool
 * is written as its own id.
 */
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
    const members = membersOf(gpuTypes, pool);
    const without = members.filter((member) => !left.has(member));
    parts.push(pool, ...without.map((member) => `-${member}`));
    for (const member of members) left.delete(member);
  }
  return parts.join(",");
}

/** Parses the notation; an item that is neither a pool nor a type is returned unchanged. */
export function gpuTypesIn({ gpuTypes }: Catalog, gpuIds: string): string[] {
  const ids = new Set<string>();
  const parts = gpuIds.split(",").map((part) => part.trim());
  for (const part of parts.filter((each) => each !== "" && !each.startsWith("-"))) {
    const members = membersOf(gpuTypes, part);
    for (const id of members.length > 0 ? members : [part]) ids.add(id);
  }
  for (const part of parts) if (part.startsWith("-")) ids.delete(part.slice(1).trim());
  return [...ids];
}

/** The GPU types of every pool. */
export function poolsOf({ gpuTypes }: Catalog): { id: string; gpuTypeIds: string[] }[] {
  const names = new Set(gpuTypes.flatMap(({ pool }) => (pool ? [pool] : [])));
  return [...names].map((id) => ({ id, gpuTypeIds: membersOf(gpuTypes, id) }));
}

function membersOf(gpuTypes: Catalog["gpuTypes"], pool: string): string[] {
  return gpuTypes.filter((type) => type.pool === pool).map(({ id }) => id);
}

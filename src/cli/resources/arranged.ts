// The order and number of the items that a list prints.

import { UsageError } from "../../base/refusal.ts";
import type { Item } from "./resource.ts";

/** Sorted by `sort`, "-name" for the largest first, and cut to `limit`. Items without the member come last. */
export function arranged(items: Item[], { sort, limit }: Record<string, unknown>): Item[] {
  const sorted = typeof sort === "string" ? sortedBy(items, sort) : items;
  if (limit === undefined) return sorted;
  const count = Number(limit);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new UsageError(`--limit is "${limit}"; it takes a whole number above 0`);
  return sorted.slice(0, count);
}

function sortedBy(items: Item[], sort: string): Item[] {
  const isDescending = sort.startsWith("-");
  const member = isDescending ? sort.slice(1) : sort;
  const names = new Set(items.flatMap(Object.keys));
  if (items.length > 0 && !names.has(member)) {
    const choices = [...names].sort().join(", ");
    throw new UsageError(`--sort is "${sort}"; the members are ${choices}`);
  }
  const direction = isDescending ? -1 : 1;
  const hasValue = ({ [member]: value }: Item) => value !== undefined && value !== null;
  const [present, absent] = [items.filter(hasValue), items.filter((item) => !hasValue(item))];
  return [...present.sort((a, b) => direction * compare(a[member], b[member])), ...absent];
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [textOf(a), textOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

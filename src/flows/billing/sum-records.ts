// Sums of the records of several billing histories.

import { addParts, type CostParts, noCost } from "../../domain/money/parts.ts";
import type { SpendRecord } from "./history.ts";

/** The sum of each bucket with costs, by its start. */
export function partsByBucket(records: readonly SpendRecord[]): Map<number, CostParts> {
  const sums = new Map<number, CostParts>();
  for (const { at, parts } of records) sums.set(at, addParts(sums.get(at) ?? noCost, parts));
  return sums;
}

type GroupSum = Pick<SpendRecord, "at" | "group" | "micros" | "runMs">;

/** One record of each bucket and group, oldest first. */
export function sumByGroup(records: readonly SpendRecord[]): GroupSum[] {
  const sums = new Map<string, GroupSum>();
  for (const { at, group, micros, runMs } of records) {
    const key = JSON.stringify([at, group]);
    const sum = sums.get(key);
    sums.set(key, {
      at,
      group,
      micros: (sum?.micros ?? 0) + micros,
      runMs: (sum?.runMs ?? 0) + runMs,
    });
  }
  return [...sums.values()].sort(
    (a, b) => a.at - b.at || (a.group ?? "").localeCompare(b.group ?? "", "en"),
  );
}

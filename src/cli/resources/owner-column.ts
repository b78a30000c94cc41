// The filters and the columns of a list of what members create and label.

import type { TableColumn } from "../output/table.ts";
import type { Item, Resource } from "./resource.ts";

/** The filter of resources that have owners and labels. */
export const labeledFilter = {
  createdBy: "of the member with this id",
  labels: "with this label; repeat it to require several",
} as const;

interface Owned extends Item {
  createdBy?: { name: string };
  labels?: Record<string, string>;
}

const columns: [isUsed: (row: Owned) => boolean, column: TableColumn<Owned>][] = [
  [({ createdBy }) => createdBy !== undefined, ["CREATED BY", ({ createdBy }) => createdBy?.name]],
  [
    ({ labels }) => labelTexts(labels).length > 0,
    ["LABELS", ({ labels }) => labelTexts(labels).join(", ")],
  ],
];

/** Adds the columns of the owner and the labels before the age, if any of the rows has them. */
export function withOwners(
  { columns: own }: Pick<Resource, "columns">,
  rows: Owned[],
): TableColumn<Owned>[] {
  const all = own as unknown as TableColumn<Owned>[];
  const used = columns.filter(([isUsed]) => rows.some(isUsed)).map(([, column]) => column);
  const age = all.findIndex(([heading]) => heading === "AGE");
  const place = age === -1 ? all.length : age;
  return [...all.slice(0, place), ...used, ...all.slice(place)];
}

function labelTexts(labels: Record<string, string> = {}): string[] {
  return Object.entries(labels).map(([name, value]) => `${name}=${value}`);
}

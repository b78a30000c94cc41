// The filter and the column of a list of what members create.

import type { Column } from "../output/table.ts";
import type { Item, Resource } from "./resource.ts";

export const ownerFilter = { createdBy: "of the member with this id" } as const;

interface Owned extends Item {
  createdBy?: { name: string };
}

const column: Column<Owned> = ["CREATED BY", ({ createdBy }) => createdBy?.name];

/** With one for the owner before the age, if members own any of the rows. */
export function withOwners({ columns }: Pick<Resource, "columns">, rows: Owned[]): Column<Owned>[] {
  const all = columns as unknown as Column<Owned>[];
  if (!rows.some(({ createdBy }) => createdBy)) return all;
  const age = all.findIndex(([heading]) => heading === "AGE");
  const place = age === -1 ? all.length : age;
  return [...all.slice(0, place), column, ...all.slice(place)];
}

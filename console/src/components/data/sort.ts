// The order of a table's rows: by the values of one column, or as they come.

import { useMemo } from "react";
import { useSearchParam } from "../../use-search-param.ts";

export type SortValue = string | number | boolean | null | undefined;

interface Sortable<Row> {
  title: string;
  alignRight?: boolean;
  sortBy?: (row: Row) => SortValue;
}

type Direction = "ascending" | "descending";

export interface Sort<Row> {
  /** What the column is sorted by, if it is. */
  directionOf: (column: Sortable<Row>) => Direction | undefined;
  /** Sorts by the column, then the other way around, then not at all. */
  toggle: (column: Sortable<Row>) => void;
  rows: Row[];
}

/** "Wait and execution" is `wait-and-execution` in the address, descending with a minus before it. */
const nameOf = (title: string) => title.toLowerCase().replace(/\W+/g, "-");

export function useSort<Row>(columns: Sortable<Row>[], rows: Row[]): Sort<Row> {
  const [sort, setSort] = useSearchParam("sort");
  const isDescending = sort.startsWith("-");
  const name = isDescending ? sort.slice(1) : sort;
  const sortBy = columns.find(({ title, sortBy: by }) => by && nameOf(title) === name)?.sortBy;
  const sorted = useMemo(
    () => (sortBy ? sortRows(rows, sortBy, isDescending) : rows),
    [rows, sortBy, isDescending],
  );
  const directionOf = ({ title }: Sortable<Row>) => {
    if (!sortBy || nameOf(title) !== name) return undefined;
    return isDescending ? "descending" : "ascending";
  };
  const toggle = (column: Sortable<Row>) => {
    const prefixes = column.alignRight ? largestFirst : smallestFirst;
    const direction = directionOf(column);
    const prefix = prefixes[direction ? prefixes.indexOf(prefixOf[direction]) + 1 : 0];
    setSort(prefix === undefined ? "" : `${prefix}${nameOf(column.title)}`);
  };
  return { directionOf, toggle, rows: sorted };
}

const prefixOf = { ascending: "", descending: "-" };
const smallestFirst = ["", "-"];
/** For numbers and times, which begin with the largest and the latest. */
const largestFirst = ["-", ""];

const collator = new Intl.Collator("en", { numeric: true });

/** Rows without a value are last in both directions; equal ones stay in their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => SortValue,
  isDescending: boolean,
): Row[] {
  const valued = rows.map((row) => ({ row, value: sortBy(row) ?? "" }));
  valued.sort((a, b) => {
    if (a.value === "" || b.value === "") return Number(a.value === "") - Number(b.value === "");
    return isDescending ? compare(b.value, a.value) : compare(a.value, b.value);
  });
  return valued.map(({ row }) => row);
}

function compare(a: string | number | boolean, b: string | number | boolean): number {
  if (typeof a === "string" && typeof b === "string") return collator.compare(a, b);
  return Number(a) - Number(b);
}

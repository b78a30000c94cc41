// The largest rows of a list, with all others merged into one: a label never has unbounded values. Pure.

/** The `limit` largest rows by size; every other row is merged into one more. */
export function largest<Row>(
  rows: readonly Row[],
  limit: number,
  sizeOf: (row: Row) => number,
  merge: (others: Row[]) => Row,
): Row[] {
  if (rows.length <= limit) return [...rows];
  const sorted = rows.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return [...sorted.slice(0, limit), merge(sorted.slice(limit))];
}

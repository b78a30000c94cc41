// A part of a list, newest first: so many after a position, of one owner and with labels where those are named.

import type { LabelFilter } from "../../../domain/label/labels.ts";
import type { Value } from "../statement.ts";
import { mayHaveLabel, partOfLabels } from "./columns.ts";

/** What a list is limited to. */
export interface ListFilter {
  /** Null for all owners. */
  ownerId: string | null;
  labels: LabelFilter;
}

export interface ListSelection extends ListFilter {
  after: { createdAt: number; id: string };
  limit: number;
}

/** The last conditions and the order of a query, and their parameters. A few rows that lack a label may pass: compare them as well. */
export function selectionSql({
  after,
  limit,
  ...filter
}: ListSelection): [sql: string, params: Value[]] {
  const [conditions, params] = filterSql(filter);
  return [
    `and (created_at, id) < (?, ?) ${conditions} order by created_at desc, id desc limit ?`,
    [after.createdAt, after.id, ...params, limit],
  ];
}

/** Further conditions of a query, and their parameters. As above, compare labels as well. */
export function filterSql({ ownerId, labels }: ListFilter): [sql: string, params: Value[]] {
  const conditions = [
    ...(ownerId === null ? [] : ["and owner_id = ?"]),
    ...labels.map(() => `and ${mayHaveLabel}`),
  ];
  const parts = labels.map(([name, value]) => partOfLabels(name, value));
  return [conditions.join(" "), [...(ownerId === null ? [] : [ownerId]), ...parts]];
}

// The filters that paged lists share: the owner, and labels.

import type { ApiKey } from "../../../domain/account.ts";
import type { LabelFilter } from "../../../domain/label/labels.ts";
import { ownerNamed } from "../../../flows/member/owner.ts";
import { labelFilterOf } from "../../management/serve/labels.ts";

interface ListQuery {
  createdBy?: string;
  labels?: string[];
}

export interface RestListFilter {
  ownerId: string | null;
  labels: LabelFilter;
}

export const listFilter = (query: ListQuery, key: ApiKey): RestListFilter => ({
  ownerId: ownerNamed(query.createdBy, key),
  labels: labelFilterOf(query),
});

/** What a cursor is bound to, in whatever order a query names the labels; a filter that is not used is left out. */
export const cursorFilters = ({ ownerId, labels }: RestListFilter) => ({
  ...(ownerId !== null && { createdBy: ownerId }),
  ...(labels.length > 0 && { labels: labels.map(([name, value]) => `${name}=${value}`).sort() }),
});

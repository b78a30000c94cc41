// The labels of a resource as clients read them, and the filter of lists by labels.

import { hasLabels, type LabelFilter, type Labels, labelIn } from "../../../domain/label/labels.ts";

/** The field is absent without any: some clients refuse fields that they do not know. */
export function labelsRead({ labels }: { labels: Labels }): { labels?: Record<string, string> } {
  return Object.keys(labels).length === 0 ? {} : { labels: { ...labels } };
}

/** The field `labels` of a query. */
export const labelFilterOf = ({ labels = [] }: { labels?: string[] }): LabelFilter =>
  labels.map(labelIn);

/** The items of a list that have each label that the query names. */
export function labeledAs<Item extends { labels: Labels }>(
  query: { labels?: string[] },
  items: readonly Item[],
): Item[] {
  const filter = labelFilterOf(query);
  return items.filter(({ labels }) => hasLabels(labels, filter));
}

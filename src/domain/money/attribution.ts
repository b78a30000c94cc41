// Whose cost something is: the member that a resource belongs to, and its labels. Pure.

import { isSameLabels, type Labels } from "../label/labels.ts";

export interface Attribution {
  /** The member it belongs to; null if it belongs to the account alone. */
  ownerId: string | null;
  /** A worker has those of its endpoint. */
  labels: Labels;
}

export function isSameAttribution(one: Attribution, other: Attribution): boolean {
  return one.ownerId === other.ownerId && isSameLabels(one.labels, other.labels);
}

// The labels of a resource as clients read them.

import type { Labels } from "../../../domain/label/labels.ts";

/** The field is absent without any: some clients refuse fields that they do not know. */
export function labelsRead({ labels }: { labels: Labels }): { labels?: Record<string, string> } {
  return Object.keys(labels).length === 0 ? {} : { labels: { ...labels } };
}

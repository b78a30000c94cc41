// Labels of resources as labels of metrics: their names, and values that are bounded in number. Pure.

import { type Labels, labelOf } from "../label/labels.ts";

/** With more values of a label than this, the others are one: "other". */
export const MAX_LABEL_VALUES = 50;

/** The name of a resource's label among the labels of a metric, such as label_cost_center. */
export function metricLabel(name: string): string {
  return `label_${name.replace(/[^a-zA-Z0-9_]/g, "_")}`;
}

/**
 * The value of a label that a metric has for a resource: its own for the values with the largest sums of sizes, "other" for
 * the rest, and empty, which Prometheus reads as none, without the label.
 */
export function boundedValue(
  name: string,
  resources: readonly { labels: Labels; size: number }[],
): (labels: Labels) => string {
  const sizes = new Map<string, number>();
  for (const { labels, size } of resources) {
    const value = labelOf(labels, name);
    if (value !== null) sizes.set(value, (sizes.get(value) ?? 0) + size);
  }
  const bySize = [...sizes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const values = new Set(bySize.slice(0, MAX_LABEL_VALUES).map(([value]) => value));
  return (labels) => {
    const value = labelOf(labels, name);
    return value === null || values.has(value) ? (value ?? "") : "other";
  };
}

// Metrics in the text form that Prometheus reads. Pure.

export type Labels = Record<string, string>;

export interface Sample {
  labels: Labels;
  value: number;
}

export interface Metric {
  /** Without the "freehold_" that all begin with. */
  name: string;
  type: "counter" | "gauge";
  help: string;
  samples: readonly Sample[];
}

export function exposition(metrics: readonly Metric[]): string {
  return metrics.map(textOf).join("");
}

function textOf({ name, type, help, samples }: Metric): string {
  const full = `freehold_${name}`;
  const lines = samples.map(({ labels, value }) => `${full}${labelText(labels)} ${value}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines, ""].join("\n");
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length > 0 ? `{${parts.join(",")}}` : "";
}

const escaped = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** The largest `most` by a value; all others together under one name. */
export function bounded<Row>(
  rows: readonly Row[],
  most: number,
  sizeOf: (row: Row) => number,
  together: (others: Row[]) => Row,
): Row[] {
  if (rows.length <= most) return [...rows];
  const sorted = rows.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return [...sorted.slice(0, most), together(sorted.slice(most))];
}

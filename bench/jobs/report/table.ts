// Tables in Markdown that are readable in a terminal too.
import type { Figures } from "../comparison.ts";

export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: string[], pad: string) =>
    `| ${cells.map((text, n) => (n === 0 ? text.padEnd(widths[n]!, pad) : text.padStart(widths[n]!, pad))).join(" | ")} |`;
  const rule = widths.map((width, n) =>
    n === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(head, " "), line(rule, " "), ...rows.map((row) => line(row, " "))].join("\n");
}

export function comparisonTable(figures: Figures[]): string {
  const head = ["system", "on disk before an answer", "form", "clients", "cycles/s"];
  const rows = figures.map((row) => [
    row.peer,
    row.durability,
    row.shape.form,
    String(row.shape.clients),
    String(Math.round(row.cyclesPerSecond)),
    row.ofFloor.toFixed(2),
    cpuText(row),
    row.cpuOfFloor.toFixed(2),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.writtenKbPerCycle.toFixed(1),
    row.loadMicrosPerCycle.toFixed(0),
  ]);
  const cost = ["rate of floor", "CPU µs/job", "CPU of floor", "p50 ms", "p99 ms", "kB/job"];
  return markdownTable([...head, ...cost, "load CPU µs"], rows);
}

/** The sum and, with more than one process, the share of each. */
function cpuText({ cpuMicrosPerCycle, cpuMicrosByProcess }: Figures): string {
  const sum = cpuMicrosPerCycle.toFixed(0);
  const parts = Object.entries(cpuMicrosByProcess);
  if (parts.length === 1) return sum;
  return `${sum} (${parts.map(([name, micros]) => `${name} ${micros.toFixed(0)}`).join(", ")})`;
}

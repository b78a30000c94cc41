// A simulated day as one row of a Markdown table.
import type { ScalePolicy } from "../../src/domain/endpoint/fleet.ts";
import type { DayRecord } from "./simulate.ts";

const columns = [
  "policy",
  "min",
  "idle timeout s",
  "jobs",
  "wait p50 ms",
  "wait p95 ms",
  "wait max ms",
  "workers started",
  "worker-seconds",
  "idle seconds",
  "idle share",
];

/** Waiting times are of normal jobs; low-priority jobs are included in the number of jobs. */
export function dayTable(days: { policy: ScalePolicy; record: DayRecord }[]): string {
  const rows = [columns, ...days.map(({ policy, record }) => rowOf(policy, record))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)));
  const lines = rows.map((row) => row.map((cell, i) => pad(cell, widths[i]!, i)));
  const rule = widths.map((width, i) =>
    i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [lines[0]!, rule, ...lines.slice(1)].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function rowOf(policy: ScalePolicy, { waitsMs, jobsDone, lives }: DayRecord): string[] {
  const sorted = [...waitsMs.normal].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  const aliveMs = lives.reduce((sum, life) => sum + life.endedAt - life.startedAt, 0);
  const idleMs = lives.reduce((sum, life) => sum + life.idleMs, 0);
  return [
    `${policy.scalerType} ${policy.scalerValue}`,
    ...[policy.workersMin, policy.idleTimeoutS, jobsDone].map(String),
    ...[at(0.5), at(0.95), at(1), lives.length].map(String),
    ...[aliveMs, idleMs].map((ms) => String(Math.round(ms / 1_000))),
    `${Math.round((100 * idleMs) / aliveMs)}%`,
  ];
}

const pad = (cell: string, width: number, index: number) =>
  index === 0 ? cell.padEnd(width) : cell.padStart(width);

// The results page of a run: the machine, every figure, and the verdict on each goal.
import type { Figures } from "../comparison.ts";
import type { SyncCost } from "../host/disk-sync.ts";
import type { AlonePart, MeasuredStore } from "../stores.ts";
import { ratios, type Verdict } from "./goals.ts";
import { comparisonTable, markdownTable } from "./table.ts";

export interface Comparison {
  figures: Figures[];
  /** The rate of the load generator against canned answers. */
  ceilingCyclesPerSecond: number;
  sync: SyncCost;
}

export interface Run {
  store: MeasuredStore;
  date: string;
  machine: string[];
  quick: boolean;
  rounds: number;
  /** Null if the run left this half out. */
  comparison: Comparison | null;
  alone: AlonePart | null;
}

export function renderResults(run: Run): string {
  const { store, comparison, alone } = run;
  const pace = run.quick
    ? "A quick run (`--quick`): short windows, few rounds, a smaller backlog. It shows that\nthe benchmark works; its figures are not reliable."
    : `A full run: medians of ${run.rounds} rounds, with the systems measured in alternation.`;
  const verdicts = [
    ...(comparison ? store.comparisonVerdicts(comparison.figures) : []),
    ...(alone?.verdicts ?? []),
  ];
  const parts = [
    `# ${store.title}`,
    `Written by \`${store.command}\` on ${run.date}; docs/performance.md explains the measurements.`,
    pace,
    [...run.machine, ...run.store.software()].map((each) => `- ${each}`).join("\n"),
    `## Goals\n\n${verdictTable(verdicts)}`,
  ];
  if (comparison) parts.push(`## Comparison\n\n${comparisonPart(store, comparison)}`);
  if (alone) parts.push(`## Freehold alone\n\n${alone.tables}`);
  return `${parts.join("\n\n")}\n`;
}

function verdictTable(verdicts: Verdict[]): string {
  const rows = verdicts.map(({ goal, figures, met }) => [goal, figures, met ? "met" : "not met"]);
  return markdownTable(["goal", "figures", "verdict"], rows);
}

function comparisonPart(
  store: MeasuredStore,
  { figures, ceilingCyclesPerSecond, sync }: Comparison,
): string {
  return `"Of floor" is the ratio to bare Fastify in the same round.

${comparisonTable(figures)}

Freehold compared with each other system, as a ratio of the medians:

${ratioTable(figures)}
${store
  .missingPeers()
  .map((each) => `\n${each}\n`)
  .join("")}
The load generator alone reaches ${Math.round(ceilingCyclesPerSecond)} cycles/s against canned answers.
A bare sync of 4 kB: p50 ${sync.p50Ms.toFixed(3)} ms, p99 ${sync.p99Ms.toFixed(3)} ms.`;
}

function ratioTable(figures: Figures[]): string {
  const others = [...new Set(figures.map(({ peer }) => peer))].filter((p) => p !== "Freehold");
  const rows = others.flatMap((other) =>
    ratios(figures, "Freehold", other).map(({ shape, rate, cpu }) => [
      `${other}, ${shape}`,
      rate.toFixed(2),
      cpu.toFixed(2),
    ]),
  );
  return markdownTable(["compared with", "cycles/s", "CPU per job"], rows);
}

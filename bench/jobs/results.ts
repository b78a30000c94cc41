// The page of one run: where it was made, every figure, and each goal with whether it is met.
import type { Figures } from "./comparison.ts";
import type { SyncCost } from "./disk-sync.ts";
import { ratios, type Verdict } from "./goals.ts";
import type { AlonePart, MeasuredStore } from "./stores.ts";
import { comparisonTable, markdownTable } from "./table.ts";

export interface Comparison {
  figures: Figures[];
  /** What the load generator reaches against canned answers. */
  ceilingCyclesPerSecond: number;
  sync: SyncCost;
}

export interface Run {
  store: MeasuredStore;
  date: string;
  machine: string[];
  quick: boolean;
  rounds: number;
  /** Null where the run was of one half only. */
  comparison: Comparison | null;
  alone: AlonePart | null;
}

export function renderResults(run: Run): string {
  const { store, comparison, alone } = run;
  const manner = run.quick
    ? "A quick run (`--quick`): short windows, few rounds, a smaller backlog. It shows that the\nbench works; for figures to rely on, take a full one."
    : `A full run: medians of ${run.rounds} rounds, the parties in turn.`;
  const verdicts = [
    ...(comparison ? store.comparisonVerdicts(comparison.figures) : []),
    ...(alone?.verdicts ?? []),
  ];
  const parts = [
    `# ${store.title}`,
    `Written by \`${store.command}\` on ${run.date}; docs/performance.md says what is measured and how.`,
    manner,
    [...run.machine, ...run.store.software()].map((each) => `- ${each}`).join("\n"),
    `## Goals\n\n${verdictTable(verdicts)}`,
  ];
  if (comparison) parts.push(`## Beside others\n\n${comparisonPart(store, comparison)}`);
  if (alone) parts.push(`## Alone\n\n${alone.tables}`);
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
  return `"Of floor" is beside bare Fastify in the same round.

${comparisonTable(figures)}

Freehold beside each of the others, as a ratio of the medians:

${ratioTable(figures)}
${store
  .leftOut()
  .map((each) => `\n${each}\n`)
  .join("")}
The load generator alone reaches ${Math.round(ceilingCyclesPerSecond)} cycles/s against canned answers.
A bare sync of 4 kB: p50 ${sync.p50Ms.toFixed(3)} ms, p99 ${sync.p99Ms.toFixed(3)} ms.`;
}

function ratioTable(figures: Figures[]): string {
  const others = [...new Set(figures.map(({ party }) => party))].filter((p) => p !== "Freehold");
  const rows = others.flatMap((other) =>
    ratios(figures, "Freehold", other).map(({ shape, rate, cpu }) => [
      `${other}, ${shape}`,
      rate.toFixed(2),
      cpu.toFixed(2),
    ]),
  );
  return markdownTable(["beside", "cycles/s", "CPU per job"], rows);
}

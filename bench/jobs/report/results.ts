// The results page of a run: the machine, every figure, and the verdict on each goal.
import path from "node:path";
import type { Compared, Figures, PeerFailure } from "../comparison.ts";
import type { SyncCost } from "../host/disk-sync.ts";
import type { AlonePart, MeasuredStore } from "../stores.ts";
import { ratios, type Verdict } from "./goals.ts";
import { comparisonTable, markdownTable } from "./table.ts";

export interface Comparison extends Compared {
  /** The rate of the load generator against canned answers. */
  ceilingCyclesPerSecond: number;
  sync: SyncCost;
}

export interface Run {
  store: MeasuredStore;
  date: string;
  machine: string[];
  short: boolean;
  rounds: number;
  /** Null if the run left this half out. */
  comparison: Comparison | null;
  alone: AlonePart | null;
}

export function renderResults(run: Run): string {
  const { store, comparison, alone } = run;
  const pace = run.short
    ? "A short run (`--short`): short windows, one round, a smaller backlog."
    : `A full run: medians of ${run.rounds} rounds, in which all systems take turns.`;
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

/** The files of its plots, beside the page. */
export function plotFiles({ page }: MeasuredStore): Record<"rate" | "p99", string> {
  const stem = page.replace(/\.md$/, "");
  return { rate: `${stem}-rate.svg`, p99: `${stem}-p99.svg` };
}

function verdictTable(verdicts: Verdict[]): string {
  const rows = verdicts.map(({ goal, figures, met }) => [goal, figures, met ? "met" : "not met"]);
  return markdownTable(["goal", "figures", "verdict"], rows);
}

function comparisonPart(
  store: MeasuredStore,
  { figures, failures, ceilingCyclesPerSecond, sync }: Comparison,
): string {
  const plots = plotFiles(store);
  return `![Jobs per second by clients](${path.basename(plots.rate)}) ![p99 by clients](${path.basename(plots.p99)})

"Of floor" is the ratio to bare Fastify in the same turn. "kB/job" is what all processes of a system wrote to disks.

${comparisonTable(figures)}

Freehold divided by each other system, as ratios of the medians:

${ratioTable(figures, "rate")}

${ratioTable(figures, "cpu")}
${[...failures.map(failureSentence), ...store.missingPeers()].map((each) => `\n${each}\n`).join("")}
The load generator alone reaches ${Math.round(ceilingCyclesPerSecond)} cycles/s against canned answers.
A bare sync of 4 kB: p50 ${sync.p50Ms.toFixed(3)} ms, p99 ${sync.p99Ms.toFixed(3)} ms.`;
}

function failureSentence({ peer, at, message }: PeerFailure): string {
  return `${peer} failed in ${at}, and took no turns after that: ${message}`;
}

/** A row per other system, a column per shape. */
function ratioTable(figures: Figures[], of: "rate" | "cpu"): string {
  const others = [...new Set(figures.map(({ peer }) => peer))].filter((p) => p !== "Freehold");
  const shapes = ratios(figures, "Freehold", "Freehold").map(({ shape }) => shape);
  const rows = others.map((other) => {
    const measured = ratios(figures, "Freehold", other);
    const texts = shapes.map((each) =>
      measured.find(({ shape }) => shape === each)?.[of].toFixed(2),
    );
    return [other, ...texts.map((text) => text ?? "failed")];
  });
  return markdownTable([of === "rate" ? "cycles/s of" : "CPU per job of", ...shapes], rows);
}

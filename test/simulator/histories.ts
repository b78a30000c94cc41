// Many short histories, each with a seed of its own: npm run simulate -- --seeds 5000 --replicas 2 --hours 0.1

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { type Options, runBatch, runSimulator } from "./run-simulator.ts";
import type { Outcome } from "./simulate.ts";

const PAGE = "bench/results/histories.md";
/** How many histories share a process and a database server. */
const BATCH = 10;
/** The actions that are faults, by which a history differs from any other day. */
const FAULTS = [
  ...["stopReplica", "killReplica", "freezeReplica", "cutOffReplica", "loseAnswers"],
  ...[
    "restartDatabase",
    "failOver",
    "setClock",
    "setEngineClock",
    "restart",
    "kill",
    "endContainer",
    "faultOn",
  ],
];

interface Totals {
  histories: number;
  virtualHours: number;
  cpuSeconds: number;
  steps: number;
  calls: number;
  accepted: number;
  faults: Map<string, number>;
  violations: string[];
}

/** Runs the seeds from the first on; returns whether every invariant held. */
export async function runHistories(options: Options, count: number, isWritten: boolean) {
  const totals: Totals = {
    ...{ histories: 0, virtualHours: 0, cpuSeconds: 0, steps: 0, calls: 0, accepted: 0 },
    ...{ faults: new Map<string, number>(), violations: [] as string[] },
  };
  const batchSize = options.replicas === undefined ? 1 : BATCH;
  for (let done = 0; done < count; done += batchSize) {
    const batch = { ...options, seed: options.seed + done };
    const outcomes =
      batchSize === 1
        ? [await runSimulator(batch)]
        : await runBatch(batch, Math.min(batchSize, count - done));
    for (const outcome of outcomes) add(totals, outcome);
    process.stderr.write(`${totals.histories}: ${totals.violations.length} violations so far\n`);
    if (isWritten) write(options, totals);
  }
  process.stdout.write(pageOf(options, totals));
  return totals.violations.length === 0;
}

function add(totals: Totals, outcome: Outcome): void {
  const { counts, violation } = outcome;
  totals.histories++;
  for (const field of ["virtualHours", "cpuSeconds", "steps", "calls"] as const)
    totals[field] += outcome[field];
  totals.accepted += counts["answer POST /v2/.../run 200"] ?? 0;
  for (const name of FAULTS) {
    const times = (totals.faults.get(name) ?? 0) + (counts[`action ${name}`] ?? 0);
    totals.faults.set(name, times);
  }
  if (violation) totals.violations.push(`seed ${outcome.seed}: ${violation.message}`);
}

/** After each batch, so that a run that is stopped leaves what it has. */
function write(options: Options, totals: Totals): void {
  mkdirSync(path.dirname(PAGE), { recursive: true });
  writeFileSync(PAGE, pageOf(options, totals));
}

function pageOf({ seed, hours, replicas }: Options, totals: Totals): string {
  const store = replicas === undefined ? "one service on SQLite" : `${replicas} replicas`;
  const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" });
  const faults = [...totals.faults].filter(([, times]) => times > 0);
  const command = `npm run simulate -- --seed ${seed} --seeds ${totals.histories} --hours ${hours}`;
  return `# Simulated histories

Histories of ${store}, each of ${hours} virtual hours after a seed of its own, at commit ${commit.trim()} on ${cpus().length} cores.
The [simulator](../../docs/simulator.md) checks all of its invariants after each action.
\`${command}${replicas === undefined ? "" : ` --replicas ${replicas}`} --write\` runs them again and writes this page.

| measure | value |
| --- | --- |
| histories | ${totals.histories} |
| with a violated invariant | ${totals.violations.length} |
| actions | ${totals.steps} |
| calls of clients and workers | ${totals.calls} |
| accepted jobs | ${totals.accepted} |
| virtual hours | ${totals.virtualHours.toFixed(1)} |
| CPU time | ${Math.round(totals.cpuSeconds)} s, ${(totals.cpuSeconds / totals.histories).toFixed(1)} s a history |
| faults | ${faults.map(([name, times]) => `${name}: ${times}`).join(", ")} |
${totals.violations.map((each) => `\n- ${each}\n`).join("")}`;
}

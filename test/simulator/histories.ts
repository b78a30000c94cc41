// Many short histories, each with a seed of its own: npm run simulate -- --seeds 5000 --replicas 2 --hours 0.1

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import path from "node:path";
import type { Outcome } from "./outcome.ts";
import { type Options, runBatch, runSimulator } from "./run-simulator.ts";

const PAGE = "bench/results/histories.md";
/** How many histories share their replicas and a database server. */
const BATCH = 50;
/** The actions that are faults, by which a history differs from any other day. */
const FAULTS = [
  "stopReplica",
  "killReplica",
  "freezeReplica",
  "cutOffReplica",
  "loseAnswers",
  "restartDatabase",
  "failOver",
  "setClock",
  "setEngineClock",
  "restart",
  "kill",
  "endContainer",
  "faultOn",
];

export interface Series extends Options {
  /** So many histories, from the seed on. */
  count: number;
  /** Receives each outcome as a line of JSON. The series continues after those that it has. */
  outcomes: string | undefined;
  isWritten: boolean;
}

class Totals {
  readonly #firstSeed: number;
  histories = 0;
  virtualHours = 0;
  cpuSeconds = 0;
  steps = 0;
  calls = 0;
  accepted = 0;
  readonly faults = new Map<string, number>();
  readonly violations: string[] = [];
  next: number;

  constructor(firstSeed: number) {
    this.#firstSeed = firstSeed;
    this.next = firstSeed;
  }

  add(outcome: Outcome): void {
    if (outcome.seed < this.#firstSeed) return;
    const { counts, violation } = outcome;
    this.histories++;
    this.next = outcome.seed + 1;
    for (const field of ["virtualHours", "cpuSeconds", "steps", "calls"] as const)
      this[field] += outcome[field];
    this.accepted += counts["answer POST /v2/.../run 200"] ?? 0;
    for (const name of FAULTS) {
      const times = counts[`action ${name}`] ?? 0;
      if (times > 0) this.faults.set(name, (this.faults.get(name) ?? 0) + times);
    }
    if (violation) this.violations.push(`seed ${outcome.seed}: ${violation.message}`);
  }
}

/** Returns whether every invariant held. */
export async function runHistories(series: Series): Promise<boolean> {
  const { outcomes, seed, count } = series;
  const totals = new Totals(seed);
  if (outcomes && existsSync(outcomes))
    for (const line of readFileSync(outcomes, "utf8").split("\n").filter(Boolean))
      totals.add(JSON.parse(line));
  while (totals.next < seed + count)
    for await (const outcome of nextOf(series, totals.next)) {
      totals.add(outcome);
      process.stderr.write(`${verdictOf(outcome)}\n`);
      if (outcomes) appendFileSync(outcomes, `${JSON.stringify(outcome)}\n`);
      // A run that is stopped leaves what it has.
      if (series.isWritten) write(series, totals);
    }
  process.stdout.write(pageOf(series, totals));
  return totals.violations.length === 0;
}

async function* nextOf(series: Series, seed: number): AsyncGenerator<Outcome> {
  const batch = { ...series, seed };
  if (series.replicas === undefined) yield await runSimulator(batch);
  else yield* runBatch(batch, Math.min(BATCH, series.seed + series.count - seed));
}

function verdictOf({ seed, steps, counts, cpuSeconds, violation }: Outcome): string {
  const faults = FAULTS.filter((name) => counts[`action ${name}`]).join(" ");
  const verdict = violation ? `VIOLATED at step ${violation.step}: ${violation.message}` : "held";
  return `seed ${seed}: ${steps} actions, ${cpuSeconds.toFixed(1)} s, ${faults}: ${verdict}`;
}

function write(series: Series, totals: Totals): void {
  mkdirSync(path.dirname(PAGE), { recursive: true });
  writeFileSync(PAGE, pageOf(series, totals));
}

function pageOf({ seed, hours, replicas }: Series, totals: Totals): string {
  const store = replicas === undefined ? "one service on SQLite" : `${replicas} replicas`;
  const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" });
  const faults = [...totals.faults].map(([name, times]) => `${name}: ${times}`);
  const command = `npm run simulate -- --seed ${seed} --seeds ${totals.histories} --hours ${hours}`;
  return `# Simulated histories

Histories of ${store}, each of ${hours} virtual hours after a seed of its own, on ${new Date().toISOString().slice(0, 10)} at commit ${commit.trim()}.
The [simulator](../../docs/simulator.md#many-histories) says what a history holds; it checks all of its invariants after each action.

- ${cpus().length} cores (${cpus()[0]!.model}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, other programs on the same cores

\`${command}${replicas === undefined ? "" : ` --replicas ${replicas}`} --write\` runs them again and writes this page.

| measure | value |
| --- | --- |
| histories | ${totals.histories} |
| with a violated invariant | ${totals.violations.length} |
| actions | ${totals.steps} |
| calls of clients and workers | ${totals.calls} |
| accepted jobs | ${totals.accepted} |
| virtual hours | ${totals.virtualHours.toFixed(1)} |
| CPU time of the simulator | ${Math.round(totals.cpuSeconds)} s, ${(totals.cpuSeconds / totals.histories).toFixed(1)} s a history |
| faults | ${faults.join(", ")} |
${totals.violations.map((each) => `\n- ${each}\n`).join("")}`;
}

// Writes the figures of docs/simulator.md from a virtual year and a run with each planted bug: npm run simulate:page

import { readFileSync, writeFileSync } from "node:fs";
import { mutations } from "./mutations/catalog.ts";
import { suiteFinds } from "./mutations/run-suite.ts";
import type { Outcome } from "./outcome.ts";
import { type Finding, simulatorPage } from "./page.ts";
import { runSimulator } from "./run-simulator.ts";

const PAGE = "docs/simulator.md";
const YEAR_HOURS = 8_760;
const SEEDS = [1, 2];
/** Two replicas on PostgreSQL take a hundred times as long. */
const REPLICAS_HOURS = 0.5;
/** A run with a planted bug. */
const BUG_HOURS = 1_000;
const BUG_REPLICAS_HOURS = 1;
const MAX_SEEDS = 4;

/** Runs at the same time. */
const MAX_RUNS = 4;

type Work = () => Promise<void>;
const year: Outcome[] = [];
const replicas: Outcome[] = [];
const findings: Finding[] = [];
const works: Work[] = [
  ...SEEDS.map((seed, at) => async () => {
    year[at] = await runSimulator({ seed, hours: YEAR_HOURS / SEEDS.length });
  }),
  ...SEEDS.map((seed, at) => async () => {
    replicas[at] = await runSimulator({ seed, hours: REPLICAS_HOURS, replicas: 2 });
  }),
  ...Object.entries(mutations).map(
    ([mutation, { file, suite, replicas: needed }], at) =>
      async () => {
        const finding = suite ? await findBySuite(mutation) : await find(mutation, needed);
        findings[at] = { mutation, file, ...(suite && { suite }), ...finding };
        process.stderr.write(`${JSON.stringify(findings[at])}\n`);
      },
  ),
];
await Promise.all(Array.from({ length: MAX_RUNS }, run));
const page = readFileSync(PAGE, "utf8");
writeFileSync(PAGE, simulatorPage(page, { year, replicas, findings }));

async function run(): Promise<void> {
  for (let work = works.shift(); work; work = works.shift()) await work();
}

async function findBySuite(mutation: string): Promise<Pick<Finding, "found">> {
  const isFound = await suiteFinds(mutation);
  return { found: isFound ? { seed: 0, step: 0, invariant: "" } : null };
}

/** Tries seeds until one shows the bug. */
async function find(mutation: string, replicas?: number): Promise<Pick<Finding, "found">> {
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const { violation } = await runSimulator({
      seed,
      mutation,
      ...(replicas === undefined ? { hours: BUG_HOURS } : { hours: BUG_REPLICAS_HOURS, replicas }),
    });
    if (violation) return { found: { seed, ...violation } };
  }
  return { found: null };
}

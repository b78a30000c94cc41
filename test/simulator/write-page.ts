// Writes docs/simulator.md from a virtual year and a run with each planted bug: npm run simulate:page

import { writeFileSync } from "node:fs";
import { mutations } from "./mutations/catalog.ts";
import { type Finding, simulatorPage } from "./page.ts";
import { runSimulator } from "./run-simulator.ts";

const YEAR_HOURS = 8_760;
const SEEDS = [1, 2];
/** Two replicas on PostgreSQL take a hundred times as long. */
const REPLICAS_HOURS = 1;
/** A run with a planted bug. */
const BUG_HOURS = 500;
const BUG_REPLICAS_HOURS = 2;
const MAX_SEEDS = 6;

const year = [];
for (const seed of SEEDS) year.push(await runSimulator({ seed, hours: YEAR_HOURS / SEEDS.length }));
const replicas = [];
for (const seed of SEEDS)
  replicas.push(await runSimulator({ seed, hours: REPLICAS_HOURS, replicas: 2 }));
const findings: Finding[] = [];
for (const [mutation, { file, replicas: needed }] of Object.entries(mutations)) {
  findings.push({ mutation, file, ...(await find(mutation, needed)) });
  process.stderr.write(`${JSON.stringify(findings.at(-1))}\n`);
}
writeFileSync("docs/simulator.md", simulatorPage({ year, replicas, findings }));

/** Tries seeds until one shows the bug. */
async function find(mutation: string, replicas?: number): Promise<Pick<Finding, "found">> {
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const { violation } = await runSimulator({
      ...{ seed, mutation },
      ...(replicas === undefined ? { hours: BUG_HOURS } : { hours: BUG_REPLICAS_HOURS, replicas }),
    });
    if (violation) return { found: { seed, ...violation } };
  }
  return { found: null };
}

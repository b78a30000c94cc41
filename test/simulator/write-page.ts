// Writes docs/simulator.md from a virtual year and a run with each planted bug: npm run simulate:page

import { writeFileSync } from "node:fs";
import { mutations } from "./mutations/catalog.ts";
import { type Finding, simulatorPage } from "./page.ts";
import { runSimulator } from "./run-simulator.ts";

const YEAR_HOURS = 8_760;
const SEEDS = [1, 2, 3, 4];
const MAX_SEEDS = 6;

const year = [];
for (const seed of SEEDS) year.push(await runSimulator({ seed, hours: YEAR_HOURS / SEEDS.length }));
const findings: Finding[] = [];
for (const [mutation, { file }] of Object.entries(mutations)) {
  findings.push({ mutation, file, ...(await find(mutation)) });
  process.stderr.write(`${JSON.stringify(findings.at(-1))}\n`);
}
writeFileSync("docs/simulator.md", simulatorPage(year, findings));

/** Tries seeds until one shows the bug. */
async function find(mutation: string): Promise<Pick<Finding, "found">> {
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const { violation } = await runSimulator({ seed, hours: 1_000, mutation });
    if (violation) return { found: { seed, ...violation } };
  }
  return { found: null };
}

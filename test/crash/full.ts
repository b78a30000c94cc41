// The full crash test: node bin/run.mjs test/crash/full.ts [kills] [jobs]

import { report } from "./report.ts";
import { crashRun } from "./run.ts";

const [kills = 200, jobs = 20_000] = process.argv.slice(2).map(Number);
const outcome = await crashRun({ kills, jobs });
process.stdout.write(`${report(outcome)}\n`);
for (const promise of outcome.verdict.broken.slice(0, 20)) process.stderr.write(`${promise}\n`);
process.exit(outcome.verdict.broken.length > 0 ? 1 : 0);

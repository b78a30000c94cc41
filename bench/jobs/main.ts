// npm run bench:jobs [-- --quick] [--only compare|alone]: what the job queue costs beside what
// users would pick instead, and what it does by itself. A cycle is run, take, job-done, status (or
// runsync with workers beside it) over keep-alive HTTP with a 200-byte input. Ratios to the floor
// count; clock times on a shared machine do not.
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureAlone } from "./alone/alone.ts";
import { compare, load, type Pace, shapes } from "./comparison.ts";
import { measureSync } from "./disk-sync.ts";
import { describeMachine, redisVersion } from "./machine.ts";
import {
  bareFloor,
  bullmqAlways,
  bullmqEverysec,
  ceiling,
  edgeFloor,
  freehold,
} from "./parties.ts";
import { type Comparison, renderResults } from "./results.ts";

const page = path.join(import.meta.dirname, "..", "results", "jobs.md");
const { quick, only } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
}).values;
if (only !== undefined && !["compare", "alone"].includes(only)) {
  process.stderr.write("--only takes compare or alone\n");
  process.exit(2);
}
const pace: Pace = quick
  ? { rounds: 2, warmUpMs: 200, measureMs: 450 }
  : { rounds: 5, warmUpMs: 1_000, measureMs: 3_000 };
const progress = (line: string) => process.stderr.write(`  ${line}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

async function measureComparison(): Promise<Comparison> {
  const canned = await ceiling.start();
  const top = await load(canned, shapes[0]!, pace);
  await canned.stop();
  const sync = measureSync(tmpdir(), 1_000);
  const bullmq = redisVersion() ? [bullmqAlways, bullmqEverysec] : [];
  if (bullmq.length === 0) progress("redis-server is not installed: BullMQ is left out");
  const figures = await compare([bareFloor, edgeFloor, freehold, ...bullmq], pace, progress);
  return { figures, ceilingCyclesPerSecond: top.cyclesPerSecond, sync };
}

const results = renderResults({
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  quick,
  rounds: pace.rounds,
  comparison: only === "alone" ? null : await measureComparison(),
  alone: only === "compare" ? null : await measureAlone(pace, quick, progress),
});
process.stdout.write(results);
// Half a run is shown, but does not take the place of a whole one.
if (only === undefined) {
  mkdirSync(path.dirname(page), { recursive: true });
  writeFileSync(page, results);
}
process.exit(0);

// npm run bench:jobs [-- --quick]: what the job queue costs beside what users would pick instead.
// A cycle is run, take, job-done, status (or runsync with workers beside it) over keep-alive HTTP
// with a 200-byte input. Ratios to the floor count; clock times on a shared machine do not.
import { tmpdir } from "node:os";
import { compare, load, type Pace, shapes } from "./comparison.ts";
import { measureSync } from "./disk-sync.ts";
import {
  bareFloor,
  bullmqAlways,
  bullmqEverysec,
  ceiling,
  edgeFloor,
  freehold,
} from "./parties.ts";
import { comparisonTable } from "./table.ts";

const quick = process.argv.includes("--quick");
const pace: Pace = quick
  ? { rounds: 2, warmUpMs: 400, measureMs: 900 }
  : { rounds: 5, warmUpMs: 1_000, measureMs: 3_000 };
const progress = (line: string) => process.stderr.write(`  ${line}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const canned = await ceiling.start();
const top = await load(canned, shapes[0]!, pace);
await canned.stop();
const sync = measureSync(tmpdir(), 1_000);
const figures = await compare(
  [bareFloor, edgeFloor, freehold, bullmqAlways, bullmqEverysec],
  pace,
  progress,
);

process.stdout.write(`${comparisonTable(figures)}\n
The load generator alone: ${Math.round(top.cyclesPerSecond)} cycles/s against ${ceiling.is.split(":")[0]}.
A bare sync of 4 kB: p50 ${sync.p50Ms.toFixed(3)} ms, p99 ${sync.p99Ms.toFixed(3)} ms.
`);
process.exit(0);

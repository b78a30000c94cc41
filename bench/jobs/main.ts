// The benchmark of the job queue: npm run bench:jobs [-- --store postgres] [--quick] [--only compare|alone].
// It compares Freehold with the systems that users would choose instead, and measures it alone. A cycle is run, take,
// job-done and status (or runsync with workers) over keep-alive HTTP with a 200-byte input. On a shared machine,
// ratios to the floor are meaningful; clock times are not.
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { compare, load, type Pace, shapes } from "./comparison.ts";
import { measureSync } from "./host/disk-sync.ts";
import { describeMachine } from "./host/machine.ts";
import { ceiling } from "./peers.ts";
import { type Comparison, renderResults } from "./report/results.ts";
import { stores } from "./stores.ts";

const { quick, only, ...options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    store: { type: "string", default: "sqlite" },
  },
}).values;
if (only !== undefined && !["compare", "alone"].includes(only)) refuse("--only: compare or alone");
if (!Object.hasOwn(stores, options.store)) refuse("--store: sqlite or postgres");
const store = stores[options.store as keyof typeof stores];
const pace: Pace = quick
  ? { rounds: 2, warmUpMs: 200, measureMs: 450 }
  : { rounds: 5, warmUpMs: 1_000, measureMs: 3_000 };
const progress = (line: string) => process.stderr.write(`  ${line}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

async function measureComparison(): Promise<Comparison> {
  for (const each of store.missingPeers()) progress(each);
  const canned = await ceiling.start();
  const top = await load(canned, shapes[0]!, pace);
  await canned.stop();
  const sync = measureSync(tmpdir(), 1_000);
  const figures = await compare(store.peers(), pace, progress);
  return { figures, ceilingCyclesPerSecond: top.cyclesPerSecond, sync };
}

const results = renderResults({
  store,
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  quick,
  rounds: pace.rounds,
  comparison: only === "alone" ? null : await measureComparison(),
  alone: only === "compare" ? null : await store.measureAlone(pace, quick, progress),
});
process.stdout.write(results);
// Half a run is printed, but does not replace the page of a full one.
if (only === undefined) {
  mkdirSync(path.dirname(store.page), { recursive: true });
  writeFileSync(store.page, results);
}
process.exit(0);

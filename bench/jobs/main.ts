// The benchmark of the job queue; docs/performance.md lists its options. It compares Freehold with the systems that users
// would choose instead, and measures it alone. A cycle is run, take, job-done and status (or runsync with workers) over
// keep-alive HTTP with a 200-byte input. On a shared machine, ratios to the floor are meaningful; clock times are not.
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { benchWorkers } from "./bench-key.ts";
import { measureBeside } from "./beside/beside.ts";
import { measureDuel } from "./beside/duel.ts";
import { compare, load, type Pace, type Shape, shapes } from "./comparison.ts";
import { measureCpu } from "./cpu.ts";
import { measureSync } from "./host/disk-sync.ts";
import { describeMachine } from "./host/machine.ts";
import { startCeiling } from "./peers.ts";
import { comparisonPlots } from "./report/plots.ts";
import { type Comparison, plotFiles, renderResults } from "./report/results.ts";
import { type StoreName, stores } from "./stores.ts";

const { short, only, beside, duel, ...options } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string" },
    beside: { type: "string" },
    duel: { type: "string" },
    clients: { type: "string" },
    form: { type: "string" },
    store: { type: "string", default: "sqlite" },
  },
}).values;
if (only !== undefined && !["compare", "alone", "cpu"].includes(only))
  refuse("--only: compare, alone or cpu");
if (!Object.hasOwn(stores, options.store)) refuse("--store: sqlite or postgres");
const storeName = options.store as StoreName;
const store = stores[storeName];
const duelShapes = readDuelShapes();
const pace: Pace = short
  ? { rounds: 1, warmUpMs: 200, measureMs: 1_000 }
  : { rounds: 3, warmUpMs: 500, measureMs: 2_500 };
const progress = (line: string) => process.stderr.write(`  ${line}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

/** The shapes of `--clients 1,4 --form runsync`, which only a duel takes. */
function readDuelShapes(): Shape[] {
  const { clients, form } = options;
  if (duel === undefined && (clients ?? form) !== undefined)
    refuse("--clients and --form: only with --duel");
  if (form !== undefined && form !== "cycle" && form !== "runsync")
    refuse("--form: cycle or runsync");
  const counts = clients?.split(",").map(Number) ?? [1, 4, 16, 64, 128];
  if (
    !counts.every((count) => Number.isInteger(count) && count >= 1 && count <= benchWorkers.length)
  )
    refuse(
      `--clients: numbers from 1 to ${benchWorkers.length} with commas between them, such as 1,4`,
    );
  return counts.map((count) => ({ form: form ?? "cycle", clients: count }));
}

async function measureComparison(): Promise<Comparison> {
  for (const each of store.missingPeers()) progress(each);
  const canned = await startCeiling();
  const top = await load(canned, shapes[0]!, pace);
  await canned.stop();
  const sync = measureSync(tmpdir(), 1_000);
  const compared = await compare(store.peers(), pace, progress);
  return { ...compared, ceilingCyclesPerSecond: top.cyclesPerSecond, sync };
}

async function measure(): Promise<void> {
  const comparison = only === "alone" ? null : await measureComparison();
  const alone = only === "compare" ? null : await store.measureAlone(pace, short, progress);
  const date = new Date().toISOString().slice(0, 10);
  const { rounds } = pace;
  const machine = describeMachine();
  const results = renderResults({ store, date, machine, short, rounds, comparison, alone });
  process.stdout.write(results);
  // Half a run or a short one is printed, but does not replace the page of a full one.
  if (comparison === null || alone === null || short) return;
  mkdirSync(path.dirname(store.page), { recursive: true });
  writeFileSync(store.page, results);
  const [files, plots] = [plotFiles(store), comparisonPlots(comparison.figures)];
  for (const name of ["rate", "p99"] as const) writeFileSync(files[name], plots[name]);
}

if (duel !== undefined)
  process.stdout.write(`${await measureDuel(duel, duelShapes, storeName, progress)}\n`);
else if (only === "cpu") process.stdout.write(await measureCpu());
else if (beside !== undefined)
  process.stdout.write(`${await measureBeside(beside, storeName, short ? 1 : 3, progress)}\n`);
else await measure();
process.exit(0);

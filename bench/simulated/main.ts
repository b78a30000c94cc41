// node bin/run.mjs bench/simulated/main.ts [--beside COMMIT] [--rounds N] [--pods N]: simulated Pods over REST, and the start
// of a temporary service, as test kits start it, beside another commit. Writes results/simulated.md.

import { rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkOut, root } from "../jobs/beside.ts";
import { median } from "../jobs/comparison.ts";
import { describeMachine } from "../jobs/host/machine.ts";
import { markdownTable } from "../jobs/report/table.ts";
import { prepareStarts, startTemporary, type TemporaryService } from "./service.ts";

const { beside, rounds, pods } = parseArgs({
  options: {
    beside: { type: "string", default: "HEAD~1" },
    rounds: { type: "string", default: "7" },
    pods: { type: "string", default: "1000" },
  },
}).values;

const BODY = { imageName: "acme/trainer:1", computeType: "CPU", ports: [] };
const SINGLE_PODS = 100;
/** Requests at once. */
const WIDTH = 50;
/** By then the service has freed what only its start needed. */
const SETTLED_MS = 4_000;
/** The share of Pods that end and are replaced. */
const CHURN = 0.2;

interface Start {
  ms: number;
  cpuMs: number;
  mb: number;
}

const loadBefore = loadavg()[0]!;

async function measureStart(checkout: string): Promise<Start> {
  const service = await startTemporary(checkout);
  await sleep(SETTLED_MS);
  const start = { ms: service.startMs, cpuMs: service.cpuMs(), mb: service.residentMb() };
  await service.stop();
  return start;
}

/** In turns, after a start of each that fills its cache. */
async function measureStarts(commit: string): Promise<{ here: Start[]; there: Start[] }> {
  const other = checkOut(commit);
  for (const checkout of [root, other]) prepareStarts(checkout);
  const starts = { here: [] as Start[], there: [] as Start[] };
  for (let round = 0; round <= Number(rounds); round++) {
    const there = await measureStart(other);
    const here = await measureStart(root);
    if (round === 0) continue;
    starts.there.push(there);
    starts.here.push(here);
  }
  rmSync(other, { recursive: true, force: true });
  return starts;
}

interface Pod {
  id: string;
  runtime?: object;
}

/** From the request until a read says that the container runs. */
async function untilRunning(service: TemporaryService): Promise<number> {
  const before = performance.now();
  const { id } = await service.call<Pod>("POST", "/v1/pods", BODY);
  while (!(await service.call<Pod>("GET", `/v1/pods/${id}`)).runtime) await sleep(1);
  return performance.now() - before;
}

async function atOnce(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const line = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: WIDTH }, line));
}

async function measurePods(count: number) {
  const service = await startTemporary(root);
  const singles: number[] = [];
  for (let n = 0; n < SINGLE_PODS; n++) singles.push(await untilRunning(service));
  await sleep(SETTLED_MS);
  const mbBefore = service.residentMb();
  const create = () => service.call<Pod>("POST", "/v1/pods", BODY);
  const before = performance.now();
  await atOnce(count, create);
  const all = await untilAllRun(service);
  const upMs = performance.now() - before;
  await sleep(SETTLED_MS);
  const kbPerPod = ((service.residentMb() - mbBefore) * 1_024) / count;
  const replaced = Math.round(count * CHURN);
  const churnBefore = performance.now();
  await atOnce(replaced, async (n) => {
    await service.call("DELETE", `/v1/pods/${all[n]!.id}`);
    await create();
  });
  await untilAllRun(service);
  const churnMs = performance.now() - churnBefore;
  await service.stop();
  return {
    p50: median(singles),
    p99: percentile(singles, 0.99),
    upMs,
    kbPerPod,
    replaced,
    churnMs,
  };
}

async function untilAllRun(service: TemporaryService): Promise<Pod[]> {
  for (;;) {
    const all = await service.call<Pod[]>("GET", "/v1/pods");
    if (all.every(({ runtime }) => runtime)) return all;
    await sleep(50);
  }
}

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;

/** What a profile of 29 November 2026 shows. */
const PROFILE = `The goals are 0.6 of the CPU time and 0.75 of the memory of c23160af. A profile shows why a start from the sources does
not reach them: three quarters of the main thread's time are the import of 2,400 modules, 683 of them of typebox, whose files
are found, read, taken from the cache of compiled code, which has every one, and linked one by one. The installed package is
one bundle: outside this bench, three starts of it took 0.6 of the CPU time and 0.8 of the memory of starts from the sources.
Of the memory, 53 MB are pages of Node's program, 40 MB V8's heap, and the rest native, such as the 9 MB of Node's cache. Tried
without a gain: garbage collection on one thread, scavenges on one thread, and a young generation that grows faster. Without
optimizing compilers a start takes 12 MB less and more CPU time; jobs were not measured so.`;

const starts = await measureStarts(beside);
const measured = await measurePods(Number(pods));

const ratioOf = (figure: (start: Start) => number) => {
  const ratios = starts.here.map((here, n) => figure(here) / figure(starts.there[n]!));
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  return `${median(ratios).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
};
const startRow = (name: string, figure: (start: Start) => number) => [
  name,
  median(starts.there.map(figure)).toFixed(0),
  median(starts.here.map(figure)).toFixed(0),
  ratioOf(figure),
];
const page = `# Simulated driver benchmark

Written by \`node bin/run.mjs bench/simulated/main.ts --beside ${beside}\` on ${new Date().toISOString().slice(0, 10)}.

${describeMachine()
  .map((each) => `- ${each}`)
  .join("\n")}
- load average at the start: ${loadBefore.toFixed(1)}${loadBefore > 1 ? ". Other programs ran, so times are too long; the ratio of CPU time says most" : ""}

## The start of a temporary service

\`freehold up --temporary on\` from the sources, with compiled code cached: the time until it answers, and its CPU time and resident
memory ${SETTLED_MS / 1_000} s later. Medians of ${rounds} pairs of starts in turns.

${markdownTable(
  ["", `at ${beside}`, "here", "ratio"],
  [
    startRow("ms until it answers", ({ ms }) => ms),
    startRow("ms of CPU", ({ cpuMs }) => cpuMs),
    startRow("MB resident", ({ mb }) => mb),
  ],
)}

${PROFILE}

## Pods

From \`POST /v1/pods\` until a read has \`runtime\`, for ${SINGLE_PODS} Pods one after another; then ${pods} Pods, ${WIDTH} requests at once,
until all run; then ${measured.replaced} of them are deleted and replaced.

${markdownTable(
  ["figure", "value"],
  [
    ["one Pod, ms, p50", measured.p50.toFixed(0)],
    ["one Pod, ms, p99", measured.p99.toFixed(0)],
    [`${pods} Pods, ms until all run`, measured.upMs.toFixed(0)],
    ["resident memory of a Pod, kB", measured.kbPerPod.toFixed(0)],
    [`${measured.replaced} replaced, ms until all run`, measured.churnMs.toFixed(0)],
  ],
)}
`;
process.stdout.write(page);
writeFileSync(path.join(root, "bench", "results", "simulated.md"), page);

// node bin/run.mjs bench/simulated/main.ts [--beside COMMIT] [--rounds N] [--pods N]: simulated Pods over REST, and the start
// of a temporary service, as test kits start it, beside another commit. Writes results/simulated.md.

import { rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkOut, root } from "../jobs/beside/beside.ts";
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
/** By then it has freed what the creation of Pods needed. */
const QUIET_MS = 15_000;
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
async function measureStarts(other: string): Promise<{ here: Start[]; there: Start[] }> {
  const starts = { here: [] as Start[], there: [] as Start[] };
  for (let round = 0; round <= Number(rounds); round++) {
    const there = await measureStart(other);
    const here = await measureStart(root);
    if (round === 0) continue;
    starts.there.push(there);
    starts.here.push(here);
  }
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

async function measurePods(checkout: string, count: number) {
  const service = await startTemporary(checkout);
  const singles: number[] = [];
  for (let n = 0; n < SINGLE_PODS; n++) singles.push(await untilRunning(service));
  await sleep(SETTLED_MS);
  const mbBefore = service.residentMb();
  const create = () => service.call<Pod>("POST", "/v1/pods", BODY);
  const before = performance.now();
  await atOnce(count, create);
  const all = await untilAllRun(service);
  const upMs = performance.now() - before;
  await sleep(QUIET_MS);
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

/** What profiles of 29 and 30 November 2026 show. */
const PROFILE = `The goals are 0.6 of the CPU time and 0.75 of the memory of c23160af. Three quarters of the main thread's time in a start from the
sources are the import of 2,400 modules, which are found, read, taken from the cache of compiled code and linked one by one. A clone
with the tools of a developer therefore starts from a bundle of its sources while they are unchanged (CONTRIBUTING.md), as the
installed package does. Of the memory, 53 MB are pages of Node's program, 35 MB live in V8's heap, and the rest is native. Tried
without a gain: garbage collection on one thread, scavenges on one thread, and a young generation that grows faster. Without
optimizing compilers a start takes 12 MB less and more CPU time; jobs were not measured so.`;

/** What the statistics of V8's heap and the maps of the process showed on 30 November 2026. */
const POD_PROFILE = `The goal is 60 kB. Of what 1,000 Pods hold, 10 to 13 kB each live in V8's heap. Most of the rest was what their creation had left: the
room of young objects had grown from 16 to 128 MB, and 90 MB of old objects were dead, all of which an idle V8 keeps. A service whose
event loop waits for half of the time now gives them back, once a minute at most and for some 100 ms of the processor. What
remains is memory that the C library keeps after it was freed.

The 1,000 Pods take longer than at c23160af because of the reads that wait for them: 20 a second of a list whose rows have a third more
columns. With one read a second, both commits take 7.5 s.`;

const other = checkOut(beside);
process.on("exit", () => rmSync(other, { recursive: true, force: true }));
for (const checkout of [root, other]) prepareStarts(checkout);
const starts = await measureStarts(other);
const podsThere = await measurePods(other, Number(pods));
const podsHere = await measurePods(root, Number(pods));

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
type PodFigures = Awaited<ReturnType<typeof measurePods>>;
const podRow = (name: string, figure: (pods: PodFigures) => number) => {
  const [there, here] = [figure(podsThere), figure(podsHere)];
  return [name, there.toFixed(0), here.toFixed(0), (here / there).toFixed(2)];
};
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
until all run; then ${podsHere.replaced} of them are deleted and replaced. Memory is read after ${QUIET_MS / 1_000} s without a request.

${markdownTable(
  ["", `at ${beside}`, "here", "ratio"],
  [
    podRow("one Pod, ms, p50", ({ p50 }) => p50),
    podRow("one Pod, ms, p99", ({ p99 }) => p99),
    podRow(`${pods} Pods, ms until all run`, ({ upMs }) => upMs),
    podRow("resident memory of a Pod, kB", ({ kbPerPod }) => kbPerPod),
    podRow(`${podsHere.replaced} replaced, ms until all run`, ({ churnMs }) => churnMs),
  ],
)}

${POD_PROFILE}
`;
process.stdout.write(page);
writeFileSync(path.join(root, "bench", "results", "simulated.md"), page);

// npm run bench:serving: the balancer of load-balancing endpoints beside HAProxy and nginx, before the same two workers and
// with one core each, in alternation; streams; and the first answer of an endpoint without workers. Writes its results page.

import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import { freePort } from "../../test/fixtures/free-port.ts";
import { describeMachine } from "../jobs/host/machine.ts";
import { markdownTable } from "../jobs/report/table.ts";
import { ENGINE, type ServiceProcess, startProcess } from "../pods/process.ts";
import { measure, type Passed } from "../pods/proxy/load.ts";
import { ensureNginxImage, nginxVersion, startNginx } from "../pods/proxy/nginx.ts";
import { firstEvents } from "./first-event.ts";
import { type FromZero, measureFromZero } from "./from-zero.ts";
import { haproxyVersion, startHaproxy } from "./haproxy.ts";
import { type Endpoint, FILES, startEndpoints } from "./workers.ts";

const PROXY_CORE = 0;
const OTHER_CORE = 1;
const CONNECTIONS = 16;
const ROUNDS = 3;
const STREAMS = 100;
const STARTS = 7;
const GOAL_P99_MS = 2;
const GOAL_EVENT_MS = 2;
const GOAL_ZERO_MS = 100;

/** `nearP99`: whether the 99th percentile has a goal too. */
const requests = [
  { route: "1k", name: "GET 1 kB", goal: 0.35, nearP99: true },
  {
    route: "run",
    name: "POST",
    goal: 0.35,
    nearP99: true,
    script: `${import.meta.dirname}/post.lua`,
  },
  { route: "1m", name: "GET 1 MB", goal: 0.5, nearP99: false },
];
type Request = (typeof requests)[number];

/** Something that passes requests on to the workers. */
interface Party {
  name: string;
  pid: number;
  origin: string;
  host: string;
  /** The workers that it started. */
  workerPids?: readonly number[];
  end(): Promise<void>;
}

const seconds = Number(process.argv[2] ?? 4);
const load = loadavg()[0]!.toFixed(1);
const image = ensureNginxImage(ENGINE, FILES);
const service = await startProcess(PROXY_CORE, "docker,process");
const endpoints = await startEndpoints(service, OTHER_CORE);
try {
  const passed = await throughput(endpoints.files);
  const events = await streams(endpoints.streams);
  const zero = await measureFromZero(service, image, STARTS);
  write(passed, events, zero);
} finally {
  await service.end();
  endpoints.remove();
}

async function partiesBefore({ host, workers, workerPids }: Endpoint): Promise<Party[]> {
  const { pid, origin } = service as ServiceProcess;
  const haproxy = await startHaproxy(await freePort(), workers, PROXY_CORE);
  const nginx = await startNginx(await freePort(), workers, PROXY_CORE);
  await Promise.all([haproxy, nginx].map(({ origin }) => untilAnswers(origin)));
  return [
    { name: "HAProxy", host, ...haproxy },
    { name: "nginx", host, ...nginx },
    { name: "Freehold", host, pid, origin, workerPids, end: async () => {} },
  ];
}

async function untilAnswers(origin: string): Promise<void> {
  const answers = () =>
    fetch(`${origin}/ping`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await answers())) await realTime(50);
}

/** By party and request; several rounds each. */
async function throughput(endpoint: Endpoint): Promise<Map<string, Passed[]>> {
  const passed = new Map<string, Passed[]>();
  const parties = await partiesBefore(endpoint);
  for (let n = 0; n < ROUNDS; n++) {
    const warmUpSeconds = n === 0 ? 5 : 1;
    for (const { route, script } of requests) {
      for (const { name, pid, origin, host, workerPids = [] } of parties) {
        const about = { host, key: service.key, workerPids };
        const times = { seconds, warmUpSeconds };
        const url = `${origin}/${route}`;
        const result = await measure(pid, {
          url,
          ...about,
          ...times,
          connections: CONNECTIONS,
          core: OTHER_CORE,
          ...(script && { script }),
        });
        const key = `${name} ${route}`;
        passed.set(key, [...(passed.get(key) ?? []), result]);
        process.stderr.write(`${key}: ${JSON.stringify(result)}\n`);
      }
    }
  }
  for (const party of parties) await party.end();
  return passed;
}

/** The median time until the first event, by party. */
async function streams(endpoint: Endpoint): Promise<Map<string, number>> {
  const took = new Map<string, number[]>();
  const parties = await partiesBefore(endpoint);
  for (let n = 0; n < ROUNDS; n++) {
    for (const { name, ...target } of parties) {
      const events = await firstEvents({ ...target, key: service.key }, STREAMS);
      took.set(name, [...(took.get(name) ?? []), ...events]);
    }
  }
  for (const party of parties) await party.end();
  return new Map([...took].map(([name, all]) => [name, median(all)]));
}

function write(passed: Map<string, Passed[]>, events: Map<string, number>, zero: FromZero): void {
  const page = `# Serving benchmark

Written by \`npm run bench:serving\` on ${new Date().toISOString().slice(0, 10)}.

${[...describeMachine(), `HAProxy ${haproxyVersion()}, nginx ${nginxVersion()}, the load average before: ${load}`].map((each) => `- ${each}`).join("\n")}

## Requests

Each balancer has one core and stands before the same two workers: processes with nginx that serve files, and answer a POST
of a small JSON object with another one. They share the other core with wrk and its ${CONNECTIONS} connections. The balancers are measured alternately, ${ROUNDS} times ${seconds} s each; the figures
are those of the run with the median throughput. "Of HAProxy" is the smaller of two ratios: requests per second, and
requests per second of the balancer's CPU time, without that of its workers. Freehold also checks an API key with each request.

${markdownTable(
  [
    "request, balancer",
    "requests/s",
    "requests/CPU s",
    "p50 ms",
    "p99 ms",
    "of HAProxy",
    "rate",
    "p99",
  ],
  requests.flatMap((request) => requestRows(passed, request)),
)}

## Streams

The median time until the first event of a stream, ${ROUNDS * STREAMS} requests for each, one after another. The goal is within ${GOAL_EVENT_MS} ms of the faster of the others.

${markdownTable(["balancer", "first event ms", "goal"], eventRows(events))}

## From zero

A request to an endpoint without workers, until its answer has come, beside \`docker run\` of the same image until its server
answers. Medians of ${STARTS} in alternation. The goal is at most ${GOAL_ZERO_MS} ms more.

${markdownTable(["", "ms", "goal"], zeroRows(zero))}
`;
  process.stdout.write(page);
  const file = path.join(import.meta.dirname, "..", "results", "serving.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}

function verdict(isMet: boolean, goal: string | number): string {
  return `${isMet ? "met" : "not met"} (${goal})`;
}

function requestRows(passed: Map<string, Passed[]>, { route, name, goal, nearP99 }: Request) {
  const of = (party: string) => middle(passed.get(`${party} ${route}`)!);
  const peer = of("HAProxy");
  const row = (party: string) => {
    const { perSecond, perCpuSecond, p50Ms, p99Ms } = of(party);
    const rates = [perSecond.toFixed(0), perCpuSecond.toFixed(0)];
    return [`${name}, ${party}`, ...rates, p50Ms.toFixed(2), p99Ms.toFixed(2)];
  };
  const own = of("Freehold");
  const ratio = Math.min(own.perSecond / peer.perSecond, own.perCpuSecond / peer.perCpuSecond);
  const isNear = own.p99Ms <= peer.p99Ms + GOAL_P99_MS;
  return [
    [...row("HAProxy"), "", "", ""],
    [...row("nginx"), "", "", ""],
    [
      ...row("Freehold"),
      ratio.toFixed(2),
      verdict(ratio >= goal, goal),
      nearP99 ? verdict(isNear, `${GOAL_P99_MS} ms`) : "",
    ],
  ];
}

function eventRows(events: Map<string, number>): string[][] {
  const peer = Math.min(events.get("HAProxy")!, events.get("nginx")!);
  return [...events].map(([name, ms]) => {
    const isOwn = name === "Freehold";
    const isMet = ms <= peer + GOAL_EVENT_MS;
    return [name, ms.toFixed(2), isOwn ? verdict(isMet, `${GOAL_EVENT_MS} ms`) : ""];
  });
}

function zeroRows({ bareMs, ownMs }: FromZero): string[][] {
  const [bare, own] = [median(bareMs), median(ownMs)];
  return [
    ["docker run", bare.toFixed(0), ""],
    ["Freehold", own.toFixed(0), verdict(own <= bare + GOAL_ZERO_MS, `${GOAL_ZERO_MS} ms`)],
  ];
}

function middle(runs: Passed[]): Passed {
  return runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)]!;
}

function median(all: number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
}

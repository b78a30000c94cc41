// npm run bench:pods: the cost of placing a Pod, the time until a Pod runs compared with a bare
// `docker run`, and the cost of a thousand Pods. npm run bench:pods -- proxy: the proxy to Pods
// compared with nginx. npm run bench:pods -- logs: a container that prints endlessly. npm run
// bench:pods -- kubernetes: Pods in a cluster compared with kubectl. Each writes its results page.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeMachine } from "../jobs/host/machine.ts";
import { markdownTable } from "../jobs/report/table.ts";
import { measureAtOnce } from "./at-once.ts";
import { measurePlacement } from "./placement.ts";
import { measureReconcile } from "./reconcile.ts";
import { measureStart } from "./start.ts";

if (process.argv[2] === "proxy") {
  const { benchProxy } = await import("./proxy/main.ts");
  await benchProxy(Number(process.argv[3] ?? 10));
  process.exit(0);
}

if (process.argv[2] === "logs") {
  const { benchLogs } = await import("./logs.ts");
  await benchLogs(Number(process.argv[3] ?? 60));
  process.exit(0);
}

if (process.argv[2] === "kubernetes") {
  const { benchKubernetes } = await import("./kubernetes/main.ts");
  await benchKubernetes(Number(process.argv[3] ?? 9));
  process.exit(0);
}

const GOAL_MS = 5;
const TIMES = 400;
const GOAL_RATIO = 1.05;
const AT_ONCE = 200;
const GOAL_AT_ONCE = 1.2;

// These measurements come first, because the memory of the others would count in them.
const started = await measureStart(9);
const atOnce = await measureAtOnce(AT_ONCE);
const timings = measurePlacement(TIMES);
const rows = timings.map(({ request, p50Ms, p99Ms }) => [
  request,
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
  p50Ms < GOAL_MS ? "met" : "not met",
]);
const apart = started.podMs / started.apartMs;
const atOnceRatio = atOnce.podsMs / atOnce.loopMs;
const reconciled = await measureReconcile(1_000);
const page = `# Pod benchmark

Written by \`npm run bench:pods\` on ${new Date().toISOString().slice(0, 10)}.

${describeMachine()
  .map((each) => `- ${each}`)
  .join("\n")}

## Placement

The placement decision alone, on 10,000 machines with 100,000 Pods, ${TIMES} times each. The goal is a
median under ${GOAL_MS} ms.

${markdownTable(["request", "p50 ms", "p99 ms", "verdict"], rows)}

## From the request to a running container

The median of ${started.rounds} Pods, each measured after a bare \`docker run\` of the same image with the same limits
on the same engine. A Pod is on its account's network, which keeps accounts apart. That alone costs the engine
more, because it starts a name server in the container's network. The goal is therefore a ratio of ${GOAL_RATIO} or less
to a container on a network of its own; the first row is for comparison.

${markdownTable(
  ["docker run", "ms", "Pod ms", "ratio", "verdict"],
  [
    [
      "on the shared network",
      started.bareMs.toFixed(0),
      started.podMs.toFixed(0),
      (started.podMs / started.bareMs).toFixed(2),
      "",
    ],
    [
      "on a network of its own",
      started.apartMs.toFixed(0),
      started.podMs.toFixed(0),
      apart.toFixed(2),
      apart <= GOAL_RATIO ? "met" : "not met",
    ],
  ],
)}

## Many Pods at once

The time from the first of ${atOnce.pods} requests at once until all Pods are observed running, compared with as many
\`docker run\` one after another on a network of their own. The goal is a ratio of ${GOAL_AT_ONCE} or less.

${markdownTable(
  ["Pods", "docker run, ms", "Pods ms", "ratio", "verdict"],
  [
    [
      String(atOnce.pods),
      atOnce.loopMs.toFixed(0),
      atOnce.podsMs.toFixed(0),
      atOnceRatio.toFixed(2),
      atOnceRatio <= GOAL_AT_ONCE ? "met" : "not met",
    ],
  ],
)}

## A thousand Pods

On the simulated driver: the time from the first request until all Pods are observed running, with twenty
requests at once; then the CPU time of the whole service per idle second, in which it observes all Pods.

${markdownTable(
  ["Pods", "ms until all run", "CPU ms per idle second"],
  [[String(reconciled.pods), reconciled.upMs.toFixed(0), reconciled.restCpuMs.toFixed(1)]],
)}
`;
process.stdout.write(page);
const file = path.join(import.meta.dirname, "..", "results", "pods.md");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, page);
process.exit(0);

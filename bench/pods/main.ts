// npm run bench:pods: what the placement of a Pod costs, how long a Pod takes to run beside a bare
// `docker run`, and what a thousand Pods cost. Writes its page.
// npm run bench:pods -- proxy: the proxy to Pods beside nginx. Writes a page of its own.
// npm run bench:pods -- logs: a container that prints without end. Writes a page of its own too.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeMachine } from "../jobs/machine.ts";
import { markdownTable } from "../jobs/table.ts";
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

const GOAL_MS = 5;
const TIMES = 400;
const GOAL_RATIO = 1.1;

// First of all: what the others leave in memory would be part of it.
const started = await measureStart(9);
const decided = measurePlacement(TIMES);
const rows = decided.map(({ asked, p50Ms, p99Ms }) => [
  asked,
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
  p50Ms < GOAL_MS ? "met" : "not met",
]);
const ratio = started.podMs / started.bareMs;
const apart = started.podMs / started.apartMs;
const reconciled = await measureReconcile(1_000);
const page = `# Pods

Written by \`npm run bench:pods\` on ${new Date().toISOString().slice(0, 10)}.

${describeMachine()
  .map((each) => `- ${each}`)
  .join("\n")}

## Placement

Where a Pod goes, the decision alone, on 10,000 machines with 100,000 Pods, ${TIMES} times each. The
goal is a median under ${GOAL_MS} ms.

${markdownTable(["asked for", "p50 ms", "p99 ms", "verdict"], rows)}

## From the request to a running container

The median of ${started.rounds} Pods, each after a bare \`docker run\` of the same image with the same limits on
the same engine. The goal is a ratio of ${GOAL_RATIO.toFixed(2)} or less to one on the network that all containers
share. A Pod has the network of its account, which keeps accounts apart, and that alone costs an
engine more: it starts a program in each container's network to answer names there. So beside it stands a
\`docker run\` on a network of its own.

${markdownTable(
  ["docker run", "ms", "Pod ms", "ratio", "verdict"],
  [
    [
      "on the network of all",
      started.bareMs.toFixed(0),
      started.podMs.toFixed(0),
      ratio.toFixed(2),
      ratio <= GOAL_RATIO ? "met" : "not met",
    ],
    [
      "on a network of its own",
      started.apartMs.toFixed(0),
      started.podMs.toFixed(0),
      apart.toFixed(2),
      "",
    ],
  ],
)}

## A thousand Pods

On the fake driver: from the first request, twenty at once, until all are seen to run; then what a
second costs the whole service in which nothing happens, with all of them looked at.

${markdownTable(
  ["Pods", "all run after ms", "CPU ms per second at rest"],
  [[String(reconciled.pods), reconciled.upMs.toFixed(0), reconciled.restCpuMs.toFixed(1)]],
)}
`;
process.stdout.write(page);
const file = path.join(import.meta.dirname, "..", "results", "pods.md");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, page);
process.exit(0);

// npm run bench:pods: what the placement of a Pod costs, the decision alone. Writes its page.
// npm run bench:pods -- proxy: the proxy to Pods beside nginx. Writes a page of its own.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeMachine } from "../jobs/machine.ts";
import { markdownTable } from "../jobs/table.ts";
import { measurePlacement } from "./placement.ts";

if (process.argv[2] === "proxy") {
  const { benchProxy } = await import("./proxy/main.ts");
  await benchProxy(Number(process.argv[3] ?? 10));
  process.exit(0);
}

const GOAL_MS = 5;
const TIMES = 400;

const decided = measurePlacement(TIMES);
const rows = decided.map(({ asked, p50Ms, p99Ms }) => [
  asked,
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
  p50Ms < GOAL_MS ? "met" : "not met",
]);
const page = `# Pods

Written by \`npm run bench:pods\` on ${new Date().toISOString().slice(0, 10)}.

${describeMachine()
  .map((each) => `- ${each}`)
  .join("\n")}

## Placement

Where a Pod goes, the decision alone, on 10,000 machines with 100,000 Pods, ${TIMES} times each. The
goal is a median under ${GOAL_MS} ms.

${markdownTable(["asked for", "p50 ms", "p99 ms", "verdict"], rows)}
`;
process.stdout.write(page);
const file = path.join(import.meta.dirname, "..", "results", "pods.md");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, page);

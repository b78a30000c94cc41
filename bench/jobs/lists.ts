// First pages of job lists: node bin/run.mjs bench/jobs/lists.ts [--store postgres] [--jobs N]. A server with a million
// kept jobs, half of them in 100 batches, answers each filter of the console's list of jobs, and the list of batches.

import { parseArgs } from "node:util";
import { Connection, requestText } from "./connection.ts";
import { postgresHome, sqliteHome } from "./host/home.ts";
import { cpuMicros } from "./host/process-cpu.ts";
import { fillWithEnded } from "./kept-jobs.ts";
import { startOn } from "./peers/freehold.ts";

const { store, jobs } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    jobs: { type: "string", default: "1000000" },
  },
}).values;

const ROUNDS = 15;
/** As the console asks. */
const PAGE = "/v1/jobs?limit=100";

const home = await (store === "postgres" ? postgresHome : sqliteHome)();
const { newestId, oldestId } = await fillWithEnded(home, Number(jobs));
const server = await startOn(home);
const connection = await Connection.open(server.port);

const serverMicros = () =>
  Object.values(server.processes)
    .flat()
    .reduce((sum, pid) => sum + cpuMicros(pid), 0);

async function measure(name: string, path: string): Promise<void> {
  const request = requestText("GET", path, server.key);
  const ms: number[] = [];
  let rows = 0;
  let micros = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    // The first answer compiles the query and fills caches.
    if (round === 1) micros = -serverMicros();
    const from = performance.now();
    const { status, body } = await connection.send(request);
    ms.push(performance.now() - from);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    rows = JSON.parse(body).length;
  }
  const [first, ...others] = ms;
  others.sort((a, b) => a - b);
  const [median, max] = [others[Math.floor(ROUNDS / 2)]!, others.at(-1)!];
  const cpuMs = (micros + serverMicros()) / 1_000 / ROUNDS;
  const figures = [cpuMs, first!, median, max].map((each) => each.toFixed(0));
  process.stdout.write(`| ${name} | ${rows} | ${figures.join(" | ")} |\n`);
}

process.stdout.write(
  "| list | rows | CPU ms | first ms | median ms | most ms |\n| --- | --: | --: | --: | --: | --: |\n",
);
await measure("all", PAGE);
await measure("endpoint", `${PAGE}&endpointId=${server.endpointId}`);
for (const status of ["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"])
  await measure(status, `${PAGE}&status=${status}`);
await measure("last hour", `${PAGE}&since=1h`);
await measure("failed, last 24 hours", `${PAGE}&since=24h&status=FAILED`);
await measure("failed, before 3 days ago", `${PAGE}&until=72h&status=FAILED`);
await measure("worker", `${PAGE}&workerId=${server.workers[5]!.id}`);
await measure("worker, failed", `${PAGE}&workerId=${server.workers[5]!.id}&status=FAILED`);
await measure("error text of many", `${PAGE}&error=out+of+memory`);
await measure("error text of none", `${PAGE}&error=absent`);
await measure(
  "error text of none, one endpoint",
  `${PAGE}&error=absent&endpointId=${server.endpointId}`,
);
await measure("id", `${PAGE}&id=${oldestId}`);
await measure("beginning of an id", `${PAGE}&id=${newestId.slice(0, 8)}`);
await measure("quarantined", `${PAGE}&quarantined=true`);
await measure("not quarantined", `${PAGE}&quarantined=false`);
await measure("ended in the last hour", `${PAGE}&finishedAfter=1h`);
await measure("100 batches", "/v1/batches");
connection.close();
await server.stop();
await home.drop();
process.exit(0);

// What logs by job cost: node bin/run.mjs bench/jobs/logs/main.ts [--store postgres] [--rounds N]. Worker processes print
// lines of their jobs, or as many that belong to no job, or nothing, in alternation; the CPU per job of the server and
// its database is compared within each round.

import path from "node:path";
import { parseArgs } from "node:util";
import { Connection, requestText } from "../connection.ts";
import { postgresHome, sqliteHome } from "../host/home.ts";
import { cpuMicros, ownMicros } from "../host/process-cpu.ts";
import { startOn } from "../peers/freehold.ts";
import { printRatios } from "../report/ratios.ts";

const { store, rounds } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    rounds: { type: "string", default: "6" },
  },
}).values;

const WORKERS = 4;
const CLIENTS = 8;
const JOBS = 1_500;
/** The last lines of a run are stored by then. */
const SETTLE_MS = 2_500;
const kinds = ["nothing", "other lines", "lines of the job"] as const;
type Kind = (typeof kinds)[number];

const home = await (store === "postgres" ? postgresHome : sqliteHome)();
const environment = { ...home.environment, FREEHOLD_DRIVERS: "process" };
const server = await startOn({ ...home, environment });
const connections = await Promise.all(
  Array.from({ length: CLIENTS }, () => Connection.open(server.port)),
);

/** Without the workers, which are children of the server. */
function serviceMicros(): number {
  const database = Object.values(home.processes).flat();
  return ownMicros(server.pid) + database.reduce((sum, pid) => sum + cpuMicros(pid), 0);
}

async function call(method: string, route: string, body?: object) {
  const text = requestText(method, route, server.key, body && JSON.stringify(body));
  const reply = await connections[0]!.send(text);
  if (reply.status >= 300) throw new Error(`${route}: ${reply.status} ${reply.body}`);
  return JSON.parse(reply.body);
}

async function createEndpoint(): Promise<string> {
  const dockerStartCmd = [process.execPath, path.join(import.meta.dirname, "worker.ts")];
  const template = await call("POST", "/v1/templates", {
    name: "printing",
    imageName: "none",
    isServerless: true,
    driver: "process",
    dockerStartCmd,
  });
  const workers = { workersMin: WORKERS, workersMax: WORKERS };
  const endpoint = await call("POST", "/v1/endpoints", { templateId: template.id, ...workers });
  return endpoint.id;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a number of jobs; returns the id of the last one and the CPU per job. */
async function run(endpoint: string, print: Kind): Promise<{ id: string; micros: number }> {
  const body = JSON.stringify({ input: { print } });
  const text = requestText("POST", `/v2/${endpoint}/runsync?wait=60000`, server.key, body);
  const before = serviceMicros();
  let left = JOBS;
  let id = "";
  const clients = connections.map(async (connection) => {
    while (left-- > 0) {
      const reply = await connection.send(text);
      const job = JSON.parse(reply.body);
      if (job.status !== "COMPLETED") throw new Error(`runsync: ${reply.status} ${reply.body}`);
      id = job.id;
    }
  });
  await Promise.all(clients);
  await pause(SETTLE_MS);
  return { id, micros: (serviceMicros() - before) / JOBS };
}

async function linesStored(id: string): Promise<number> {
  const lines: { type: string }[] = await call("GET", `/v1/jobs/${id}/logs`);
  return lines.filter(({ type }) => type === "container").length;
}

const endpoint = await createEndpoint();
const samples: Record<Kind, number>[] = [];
for (let round = 0; round <= Number(rounds); round++) {
  const sample = { nothing: 0, "other lines": 0, "lines of the job": 0 };
  for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
    const { id, micros } = await run(endpoint, kind);
    const stored = await linesStored(id);
    if (stored !== (kind === "lines of the job" ? 4 : 0))
      throw new Error(`${kind}: job ${id} has ${stored} lines`);
    sample[kind] = micros;
  }
  // The first round starts the workers and compiles the code.
  if (round > 0) samples.push(sample);
}
for (const connection of connections) connection.close();
await server.stop();
await home.drop();

printRatios(samples, kinds, "nothing");
process.exit(0);

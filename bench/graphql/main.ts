// npm run bench:graphql: lists of 1,000 Pods and the GPU types with prices, compared with a server
// that answers from constant data. Both run at the same time and are called in alternation. Writes
// its results page.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { benchKey } from "../jobs/bench-key.ts";
import { describeMachine, packageVersion } from "../jobs/host/machine.ts";
import { startPeer } from "../jobs/host/peer-process.ts";
import { startFreehold } from "../jobs/peers/freehold.ts";
import { markdownTable } from "../jobs/report/table.ts";
import { type Query, queries } from "./queries.ts";
import { fetchOnce, rateOf, type Server } from "./rate.ts";
import { copyPods, median, WALKED, walkTimes } from "./walk.ts";

const GOAL = 0.8;
const PODS = Number(process.env.PODS ?? 1_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const LOAD = { connections: 4, forMs: Number(process.env.MS ?? 3_000) };

const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-graphql-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const settings = {
  FREEHOLD_DATA: path.join(folder, "data"),
  FREEHOLD_DRIVERS: "simulated",
  FREEHOLD_GPUS: JSON.stringify({ "NVIDIA A40": PODS / 2, "NVIDIA L4": PODS / 2 }),
};
const started = await startFreehold(settings);
const freehold: Server = { port: started.port, key: benchKey };
await rentPods(freehold);

const constants = path.join(folder, "constants.json");
const [pods, gpuTypes, rest, restV2] = await Promise.all(
  queries.map((each) => fetchOnce(freehold, each)),
);
const data = (text: string) => JSON.parse(text).data;
const answers = {
  ...data(pods!),
  ...data(gpuTypes!),
  pods: JSON.parse(rest!),
  page: JSON.parse(restV2!),
};
writeFileSync(constants, JSON.stringify(answers));
const bare = await startPeer(path.join(import.meta.dirname, "constant.ts"), [], {
  CONSTANTS: constants,
});
const constant: Server = { port: bare.port, key: "" };

const rows: string[][] = [];
for (const query of queries) rows.push(await compare(query));
await Promise.all([started.stop(), bare.stop()]);
write(rows, await walkPods());

async function rentPods(server: Server): Promise<void> {
  for (let n = 0; n < PODS; n++) {
    const gpuTypeIds = [n % 2 === 0 ? "NVIDIA A40" : "NVIDIA L4"];
    const body = {
      driver: "simulated",
      imageName: "i",
      name: `pod ${n}`,
      gpuTypeIds,
      env: { N: `${n}` },
    };
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/pods`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(await response.text());
    await response.text();
  }
  for (;;) {
    const { myself } = JSON.parse(await fetchOnce(server, queries[0]!)).data;
    const up = myself.pods.filter(({ runtime }: { runtime: unknown }) => runtime !== null).length;
    if (up === PODS) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The median milliseconds of the first and of the last tenth of the pages. */
async function walkPods(): Promise<{ pages: number; first: number; last: number }> {
  copyPods(path.join(folder, "data", "freehold.db"));
  const service = await startFreehold(settings);
  const times = await walkTimes({ port: service.port, key: benchKey });
  await service.stop();
  const tenth = Math.floor(times.length / 10);
  return {
    pages: times.length,
    first: median(times.slice(0, tenth)),
    last: median(times.slice(-tenth)),
  };
}

async function compare(query: Query): Promise<string[]> {
  const texts = [await fetchOnce(freehold, query), await fetchOnce(constant, query)];
  for (const server of [freehold, constant]) await rateOf(server, query, { ...LOAD, forMs: 1_000 });
  const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await rateOf(freehold, query, LOAD));
    rates.theirs.push(await rateOf(constant, query, LOAD));
  }
  const [ours, theirs] = [median(rates.ours), median(rates.theirs)];
  const ratio = ours / theirs;
  return [
    query.name,
    texts.map((text) => `${Math.round(text.length / 1_024)}`).join(" and "),
    ours.toFixed(1),
    theirs.toFixed(1),
    ratio.toFixed(2),
    ratio >= GOAL ? "met" : "not met",
  ];
}

function write(rows: string[][], walk: { pages: number; first: number; last: number }): void {
  const head = ["query", "kB", "Freehold/s", "constant/s", "ratio", "verdict"];
  const load = `load average ${loadavg()[0]!.toFixed(1)}, this benchmark and other programs included`;
  const about = [
    ...describeMachine(),
    load,
    packageVersion("mercurius"),
    packageVersion("graphql"),
  ];
  const page = `# GraphQL and list benchmark

Written by \`npm run bench:graphql\` on ${new Date().toISOString().slice(0, 10)}.

${about.map((each) => `- ${each}`).join("\n")}

Requests per second of Freehold with ${PODS} running Pods on SQLite, compared with a bare Mercurius (for REST, a
bare Fastify route) that returns the same from constant data, without keys, limits or a store. Both run at the
same time and are queried alternately over ${LOAD.connections} connections, in ${ROUNDS} rounds of ${LOAD.forMs / 1_000} s each; the figures are medians.
"kB" is the size of the two answers. The goal is a ratio of ${GOAL}.

${markdownTable(head, rows)}

A walk over ${WALKED.toLocaleString("en")} Pods, most of them stopped, by the cursors of REST v2: a page of the first tenth takes
${walk.first.toFixed(1)} ms and one of the last tenth ${walk.last.toFixed(1)} ms (medians over ${walk.pages} pages), so a walk is linear.
`;
  process.stdout.write(page);
  const file = path.join(import.meta.dirname, "..", "results", "graphql.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}

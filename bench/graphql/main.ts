// npm run bench:graphql: lists of 1,000 Pods and the GPU types with prices, beside a server that answers
// the same from constant data. Both run at the same time and are asked in turns. Writes its page.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { benchKey } from "../jobs/bench-key.ts";
import { startFreehold } from "../jobs/freehold.ts";
import { describeMachine, packageVersion } from "../jobs/machine.ts";
import { startParty } from "../jobs/party-process.ts";
import { markdownTable } from "../jobs/table.ts";
import { type Asked, questions } from "./asked.ts";
import { fetchOnce, rateOf, type Server } from "./rate.ts";

const GOAL = 0.6;
const PODS = 1_000;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const LOAD = { connections: 4, forMs: Number(process.env.MS ?? 3_000) };

const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-graphql-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const started = await startFreehold({
  FREEHOLD_DATA: path.join(folder, "data"),
  FREEHOLD_DRIVERS: "fake",
  FREEHOLD_VIRTUAL_GPUS: JSON.stringify({ "NVIDIA A40": PODS / 2, "NVIDIA L4": PODS / 2 }),
});
const freehold: Server = { port: started.port, key: benchKey };
await rentPods(freehold);

const constants = path.join(folder, "constants.json");
const [pods, gpuTypes, rest] = await Promise.all(
  questions.map((each) => fetchOnce(freehold, each)),
);
const data = (text: string) => JSON.parse(text).data;
const held = { ...data(pods!), ...data(gpuTypes!), pods: JSON.parse(rest!) };
writeFileSync(constants, JSON.stringify(held));
const bare = await startParty(path.join(import.meta.dirname, "constant.ts"), {
  CONSTANTS: constants,
});
const constant: Server = { port: bare.port, key: "" };

const rows: string[][] = [];
for (const asked of questions) rows.push(await compare(asked));
await Promise.all([started.stop(), bare.stop()]);
write(rows);

async function rentPods(server: Server): Promise<void> {
  for (let n = 0; n < PODS; n++) {
    const gpuTypeIds = [n % 2 === 0 ? "NVIDIA A40" : "NVIDIA L4"];
    const body = {
      driver: "fake",
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
    const { myself } = JSON.parse(await fetchOnce(server, questions[0]!)).data;
    const up = myself.pods.filter(({ runtime }: { runtime: unknown }) => runtime !== null).length;
    if (up === PODS) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function compare(asked: Asked): Promise<string[]> {
  const texts = [await fetchOnce(freehold, asked), await fetchOnce(constant, asked)];
  for (const server of [freehold, constant]) await rateOf(server, asked, { ...LOAD, forMs: 1_000 });
  const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await rateOf(freehold, asked, LOAD));
    rates.theirs.push(await rateOf(constant, asked, LOAD));
  }
  const [ours, theirs] = [median(rates.ours), median(rates.theirs)];
  const ratio = ours / theirs;
  return [
    asked.name,
    texts.map((text) => `${Math.round(text.length / 1_024)}`).join(" and "),
    ours.toFixed(1),
    theirs.toFixed(1),
    ratio.toFixed(2),
    ratio >= GOAL ? "met" : "not met",
  ];
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function write(rows: string[][]): void {
  const head = ["asked for", "kB", "Freehold /s", "constant /s", "ratio", "verdict"];
  const load = `load ${loadavg()[0]!.toFixed(1)}, of this bench and of whatever else ran`;
  const about = [
    ...describeMachine(),
    load,
    packageVersion("mercurius"),
    packageVersion("graphql"),
  ];
  const page = `# GraphQL and lists

Written by \`npm run bench:graphql\` on ${new Date().toISOString().slice(0, 10)}.

${about.map((each) => `- ${each}`).join("\n")}

Freehold with 1,000 running Pods, on SQLite, beside a bare Mercurius (for REST a bare Fastify route) that
answers the same from constant data: no keys, no limits, no store. Both are up at the same time and are asked
in turns over ${LOAD.connections} connections, ${ROUNDS} rounds of ${LOAD.forMs / 1_000} s each; the median of the rounds. The goal
is a ratio of ${GOAL}.

${markdownTable(head, rows)}
`;
  process.stdout.write(page);
  const file = path.join(import.meta.dirname, "..", "results", "graphql.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}

// Runs the simulator: one history in this process, or many in processes of their own.
// npm run simulate -- --seed 7 --hours 8760
// npm run simulate -- --seeds 5000 --hours 0.1 --replicas 2

import { parseArgs } from "node:util";
import { runHistories } from "./histories.ts";
import { applyMutation } from "./mutations/apply.ts";
import { sealProcess } from "./world/seal.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    /** So many histories, from the seed on. */
    seeds: { type: "string" },
    hours: { type: "string", default: "720" },
    /** So many histories in this process, one JSON document a line. */
    batch: { type: "string" },
    /** On PostgreSQL; without it the store is SQLite. */
    replicas: { type: "string" },
    mutation: { type: "string" },
    trace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** With --seeds: writes bench/results/histories.md. */
    write: { type: "boolean", default: false },
  },
});
const [seed, hours] = [Number(values.seed), Number(values.hours)];
const replicas = values.replicas === undefined ? null : Number(values.replicas);
if (values.batch !== undefined) await runInTurn(Number(values.batch));
else if (values.seeds === undefined) await runOne();
else {
  const options = { seed, hours, ...(replicas !== null && { replicas }) };
  process.exit((await runHistories(options, Number(values.seeds), values.write)) ? 0 : 1);
}

/** What is loaded and compiled once serves them all; on SQLite, where a seed repeats everything, each has its own process. */
async function runInTurn(count: number): Promise<void> {
  const reseed = sealProcess(seed);
  const { simulate } = await import("./simulate.ts");
  const { DatabaseServer } = await import("./world/database.ts");
  const server = await DatabaseServer.start();
  for (let each = seed; each < seed + count; each++) {
    reseed(each);
    const outcome = await simulate({ seed: each, hours, replicas, server });
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
  server.close();
  process.stdout.write("", () => process.exit(0));
}

async function runOne(): Promise<void> {
  if (values.mutation !== undefined) applyMutation(values.mutation);
  sealProcess(seed);
  const { simulate } = await import("./simulate.ts");
  const { reportText } = await import("./report.ts");
  const outcome = await simulate({
    ...{ seed, hours, replicas },
    ...(values.trace && { onTrace: (line: string) => void process.stderr.write(line) }),
  });
  const text = values.json ? JSON.stringify(outcome) : reportText(outcome);
  process.stdout.write(`${text}\n`, () => process.exit(outcome.violation ? 1 : 0));
}

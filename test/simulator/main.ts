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
    /** With --seeds: a file for the outcomes, after which a later run continues. */
    outcomes: { type: "string" },
    /** With --seeds: writes bench/results/histories.md. */
    write: { type: "boolean", default: false },
  },
});
const [seed, hours] = [Number(values.seed), Number(values.hours)];
const replicas = values.replicas === undefined ? null : Number(values.replicas);
if (values.batch !== undefined) await runInTurn(Number(values.batch));
else if (values.seeds === undefined) await runOne();
else {
  const isHeld = await runHistories({
    seed,
    hours,
    count: Number(values.seeds),
    ...(replicas !== null && { replicas }),
    outcomes: values.outcomes,
    isWritten: values.write,
  });
  process.exit(isHeld ? 0 : 1);
}

/** On replicas that they share; on SQLite, where a seed repeats everything, each has its own process. */
async function runInTurn(count: number): Promise<void> {
  endWithParent();
  const reseed = sealProcess(seed, true);
  const { simulateBatch } = await import("./simulate.ts");
  await simulateBatch({
    seed,
    count,
    hours,
    replicas,
    reseed,
    onOutcome: (outcome) => void process.stdout.write(`${JSON.stringify(outcome)}\n`),
  });
  process.stdout.write("", () => process.exit(0));
}

async function runOne(): Promise<void> {
  if (values.mutation !== undefined) applyMutation(values.mutation);
  if (values.json) endWithParent();
  sealProcess(seed, replicas !== null);
  const { simulate } = await import("./simulate.ts");
  const { reportText } = await import("./report.ts");
  const outcome = await simulate({
    seed,
    hours,
    replicas,
    ...(values.trace && { onTrace: (line: string) => void process.stderr.write(line) }),
  });
  const text = values.json ? JSON.stringify(outcome) : reportText(outcome);
  process.stdout.write(`${text}\n`, () => process.exit(outcome.violation ? 1 : 0));
}

/** The process that started this one holds its standard input open. */
function endWithParent(): void {
  process.stdin.once("end", () => process.exit(1)).resume();
}

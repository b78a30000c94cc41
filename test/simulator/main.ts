// Runs the simulator in this process: npm run simulate -- --seed 7 --hours 8760

import { parseArgs } from "node:util";
import { applyMutation } from "./mutations/apply.ts";
import { sealProcess } from "./world/seal.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    hours: { type: "string", default: "720" },
    /** On PostgreSQL; without it the store is SQLite. */
    replicas: { type: "string" },
    mutation: { type: "string" },
    trace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
if (values.mutation !== undefined) applyMutation(values.mutation);
sealProcess(seed);
const { simulate } = await import("./simulate.ts");
const { reportText } = await import("./report.ts");
const outcome = await simulate({
  ...{ seed, hours: Number(values.hours) },
  replicas: values.replicas === undefined ? null : Number(values.replicas),
  ...(values.trace && { onTrace: (line: string) => void process.stderr.write(line) }),
});
const text = values.json ? JSON.stringify(outcome) : reportText(outcome);
process.stdout.write(`${text}\n`, () => process.exit(outcome.violation ? 1 : 0));

// What policies of jobs cost: node bin/run.mjs bench/jobs/policies.ts [--store postgres] [--rounds N]. One server takes
// cycles without a policy, with a retry policy and with a concurrency key on every job, one after another; CPU per job is
// compared within each round, so that other work of the machine matters little.

import { parseArgs } from "node:util";
import { load, peerMicros, type Shape, warmUp } from "./comparison.ts";
import { postgresHome, sqliteHome } from "./host/home.ts";
import type { LoadPlan } from "./load.ts";
import { startAnew } from "./peers/freehold.ts";
import { printRatios } from "./report/ratios.ts";

const { store, rounds } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    rounds: { type: "string", default: "6" },
  },
}).values;

const SHAPE: Shape = { form: "cycle", clients: 16 };
const PACE = { warmUpMs: 200, measureMs: 2_000 };
const kinds = ["none", "retry", "concurrency"] as const satisfies LoadPlan["policy"][];

const server = await startAnew(store === "postgres" ? postgresHome : sqliteHome);
await warmUp(server);
/** CPU microseconds per job, one figure of each kind in a sample. */
const samples: Record<(typeof kinds)[number], number>[] = [];
for (let round = 0; round <= Number(rounds); round++) {
  const sample = { none: 0, retry: 0, concurrency: 0 };
  for (const kind of round % 2 === 0 ? kinds : kinds.toReversed())
    sample[kind] = peerMicros(await load(server, SHAPE, { ...PACE, policy: kind }));
  // The first round compiles what the policies need.
  if (round > 0) samples.push(sample);
}
await server.stop();

printRatios(samples, kinds, "none");
process.exit(0);

// What tracing costs: node bin/run.mjs bench/jobs/tracing.ts [--store postgres] [--rounds N]. Two servers take cycles in
// turns, one without tracing and one that exports the spans of every job to a receiver that drops them.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { load, peerMicros, type Shape, warmUp } from "./comparison.ts";
import { type NewHome, postgresHome, sqliteHome } from "./host/home.ts";
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

let received = 0;
const receiver = createServer((request, response) => {
  request.resume().on("end", () => {
    received += 1;
    response.setHeader("content-type", "application/json").end("{}");
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const newHome = store === "postgres" ? postgresHome : sqliteHome;
const tracedHome: NewHome = async () => {
  const home = await newHome();
  return { ...home, environment: { ...home.environment, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } };
};
const off = await startAnew(newHome);
const on = await startAnew(tracedHome);
for (const server of [off, on]) await warmUp(server);

const samples: { off: number; on: number }[] = [];
for (let round = 0; round < Number(rounds); round++) {
  const sample = { off: 0, on: 0 };
  for (const kind of round % 2 === 0 ? (["off", "on"] as const) : (["on", "off"] as const))
    sample[kind] = peerMicros(await load(kind === "on" ? on : off, SHAPE, PACE));
  samples.push(sample);
}
if (received === 0) throw new Error("the receiver got no spans");
await off.stop();
await on.stop();

printRatios(samples, ["off", "on"], "off");
process.exit(0);

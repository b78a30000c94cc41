// npm run bench:billing [-- --only metering|history]: the cost of metering and of cost histories,
// on SQLite and on PostgreSQL. It uses the store's own transactions; only time is simulated.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../src/base/clock.ts";
import { HOUR_MS } from "../../src/base/units.ts";
import { type Grouping, spendHistory } from "../../src/flows/billing/history.ts";
import { insertAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { change, type Tx } from "../../src/store/engine/statement.ts";
import type { Store } from "../../src/store/engine/store.ts";
import type { Metered } from "../../src/store/usage/usage.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import { meter } from "../../src/transactions/money/meter.ts";
import { describeMachine } from "../jobs/host/machine.ts";
import { postgres } from "../jobs/host/postgres.ts";
import { markdownTable } from "../jobs/report/table.ts";

const PODS = 100_000;
const HISTORY_PODS = 1_000;
const HOURS = 365 * 24;
/** Hours that are really charged; the rest of the year repeats them. */
const BLOCK = 5 * 24;
const START = Date.UTC(2025, 0, 1);
const MAX_PER_TRANSACTION = 1_000;
const PASS_GOAL_MS = 1_000;
const DAY_GOAL_MS = 200;

const thing = (n: number): Metered => ({
  accountId: "account",
  kind: "pod",
  resourceId: `pod${n}`,
  endpointId: "",
  gpuTypeId: `GPU ${n % 20}`,
  dataCenterId: "",
  imageName: "image",
  templateId: "",
  volumeType: "",
  gpus: 0,
  keyId: "",
  ownerId: null,
  labels: {},
  running: true,
  diskGb: 70,
  rate: 690_000 + n,
  diskRate: 9_000,
});

/** A thousand charged by the meter itself, and copies of them. */
async function fill(store: Store, pods: number, at: number): Promise<void> {
  const account = { id: "account", name: "bench", webhookSecret: null, createdAt: at };
  await store.write(insertAccount, account);
  const some = Array.from({ length: Math.min(pods, 1_000) }, (_, n) => thing(n));
  await Promise.all(some.map((each) => store.write(meter, each, at)));
  for (let n = 1_000; n < pods; n += 1_000) await store.write(copyOfFirst, 1_000, n);
}

const facts =
  "endpoint_id, gpu_type_id, data_center_id, image_name, template_id, volume_type, key_id, running, disk_gb, disk_rate, carry";

/** Copies this many, each slightly more expensive than its original. */
function* copyOfFirst(count: number, n: number): Tx<void> {
  yield* change(
    `insert into usage (account_id, kind, resource_id, rate, began_at, metered_from, metered_to, ${facts})
     select account_id, kind, resource_id || '-' || cast(? as text), rate + cast(? as bigint), began_at,
       metered_from, metered_to, ${facts}
     from usage where id <= ?`,
    n,
    n,
    count,
  );
}

/** One pass of the meter; its longest batch is the longest delay of other requests. */
async function pass(store: Store, now: number): Promise<{ ms: number; longest: number }> {
  const began = performance.now();
  let [last, longest] = [began, 0];
  const write: Store["write"] = async (transaction, ...args) => {
    const result = await store.write(transaction, ...args);
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
    return result;
  };
  await chargeAll({ write }, now, MAX_PER_TRANSACTION);
  return { ms: performance.now() - began, longest };
}

/** Copies the roll-ups of the charged hours, `later` milliseconds later. */
function* repeatBlock(later: number): Tx<void> {
  const end = START + BLOCK * HOUR_MS;
  for (const table of ["spend_hour", "spend_day"]) {
    yield* change(
      `insert into ${table} select account_id, kind, at + cast(? as bigint), endpoint_id, gpu_type_id,
         data_center_id, image_name, template_id, key_id, run_ms, ms, gb_ms, micros from ${table} where at < ?`,
      later,
      end,
    );
  }
}

function* meteredTo(at: number): Tx<void> {
  yield* change("update usage set metered_to = ?", at);
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function timed(times: number, work: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return median(took);
}

const year = {
  accountId: "account",
  kind: "pod" as const,
  bucketSize: "day" as const,
  startTime: START,
  endTime: START + HOURS * HOUR_MS,
  filters: {},
};

interface NewStore {
  store: Store;
  /** Runs the maintenance that the database would do some time after many writes. */
  tidy(): Promise<void>;
}

async function metering(open: () => Promise<NewStore>) {
  const { store, tidy } = await open();
  await fill(store, PODS, START);
  await tidy();
  const passes: { ms: number; longest: number }[] = [];
  for (let n = 1; n <= 7; n++) passes.push(await pass(store, START + n * 60_000));
  const overAnHour = await pass(store, START + HOUR_MS + 30_000);
  await store.close();
  return {
    passMs: median(passes.map(({ ms }) => ms)),
    longest: median(passes.map(({ longest }) => longest)),
    overAnHour,
  };
}

async function lookingBack(open: () => Promise<NewStore>) {
  const { store } = await open();
  await fill(store, HISTORY_PODS, START);
  for (let hour = 1; hour <= BLOCK; hour++) await pass(store, START + hour * HOUR_MS);
  for (let hour = BLOCK; hour < HOURS; hour += BLOCK) {
    await store.write(repeatBlock, hour * HOUR_MS);
  }
  await store.write(meteredTo, START + HOURS * HOUR_MS);
  const clock = { ...systemClock, now: () => START + HOURS * HOUR_MS };
  const ask = (grouping: Grouping, resourceIds: string[] | null) => () =>
    spendHistory({ store, clock }, { ...year, grouping, resourceIds });
  const byType = await timed(9, ask("gpuTypeId", null));
  const byPod = await timed(3, ask("resourceId", null));
  const onePod = await timed(9, ask("resourceId", ["pod7"]));
  await store.close();
  return { byType, byPod, onePod };
}

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
if (only !== undefined && !["metering", "history"].includes(only)) {
  process.stderr.write("--only: metering or history\n");
  process.exit(1);
}
const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
let files = 0;
const server = await postgres();
const newSqlite = async (): Promise<NewStore> => {
  return { store: openSqlite(path.join(folder, `${files++}.db`)), tidy: async () => {} };
};
const newPostgres = async (): Promise<NewStore> => {
  const url = await server.newDatabase();
  return { store: await openPostgres(url), tidy: () => server.tidy(url) };
};
const stores: [string, () => Promise<NewStore>][] = [
  ["SQLite", newSqlite],
  ["PostgreSQL", newPostgres],
];
const ms = (value: number) => `${value.toFixed(0)} ms`;
const verdict = (value: number, goal: number) => (value < goal ? "met" : "not met");

async function meteringPart(): Promise<string> {
  const lines: string[][] = [];
  for (const [name, open] of stores) {
    process.stderr.write(`${name}: ${PODS} Pods\n`);
    const { passMs, longest, overAnHour } = await metering(open);
    const goal = verdict(passMs, PASS_GOAL_MS);
    lines.push([name, ms(passMs), goal, ms(longest), ms(overAnHour.ms), ms(overAnHour.longest)]);
  }
  return `## Metering

One pass over ${PODS} running Pods in batches of ${MAX_PER_TRANSACTION}; the median of seven passes. The goal is
under a second. PostgreSQL is vacuumed after it is filled, as autovacuum would do. Another request
waits for the longest batch at most. The pass that crosses the end of an hour charges each Pod twice,
for the time before and after it.

${markdownTable(["store", "pass", "goal", "longest batch", "pass across an hour", "its longest batch"], lines)}
`;
}

async function historyPart(): Promise<string> {
  const lines: string[][] = [];
  for (const [name, open] of stores) {
    process.stderr.write(`${name}: ${HOURS} hours of ${HISTORY_PODS} Pods\n`);
    const { byType, byPod, onePod } = await lookingBack(open);
    lines.push([name, ms(byType), verdict(byType, DAY_GOAL_MS), ms(byPod), ms(onePod)]);
  }
  const columns = ["store", "by GPU type", "goal", "by Pod (365,000 records)", "one Pod"];
  return `## Billing history

A year of ${HISTORY_PODS} Pods, ${HISTORY_PODS * HOURS} Pod-hours, queried by day. The data is five days that were really
charged, repeated 73 times. The goal for all Pods by GPU type is under ${DAY_GOAL_MS} ms.

${markdownTable(columns, lines)}
`;
}

const parts: string[] = [];
if (only !== "history") parts.push(await meteringPart());
if (only !== "metering") parts.push(await historyPart());
rmSync(folder, { recursive: true });
const load = `load average ${loadavg()[0]!.toFixed(1)}, this benchmark and other programs included`;
const page = `# Billing benchmark

Written by \`npm run bench:billing\` on ${new Date().toISOString().slice(0, 10)}.

${[...describeMachine(), load].map((each) => `- ${each}`).join("\n")}

${parts.join("\n")}`;
process.stdout.write(page);
if (!only) {
  const file = path.join(import.meta.dirname, "..", "results", "billing.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}
process.exit(0);

// npm run bench:billing [-- --only metering|history]: what metering and looking back cost, on SQLite and on PostgreSQL. Everything
// goes through the store's own verbs; only time is made up.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../src/base/clock.ts";
import { HOUR_MS } from "../../src/domain/money/owed.ts";
import { type Grouping, spendHistory } from "../../src/flows/billing/history.ts";
import { insertAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/dialect/postgres/open.ts";
import { openSqlite } from "../../src/store/dialect/sqlite/open.ts";
import { chargeAll } from "../../src/store/money/pass.ts";
import { type Metered, meter } from "../../src/store/money/usage.ts";
import { change, type Verb } from "../../src/store/statement.ts";
import type { Store } from "../../src/store/store.ts";
import { describeMachine } from "../jobs/machine.ts";
import { postgres } from "../jobs/postgres.ts";
import { markdownTable } from "../jobs/table.ts";

const PODS = 100_000;
const HISTORY_PODS = 1_000;
const HOURS = 365 * 24;
/** Hours that are really charged; the rest of the year is these again and again. */
const BLOCK = 5 * 24;
const START = Date.UTC(2025, 0, 1);
const A_TURN = 1_000;
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
  keyId: "",
  running: true,
  diskGb: 70,
  rate: 690_000 + n,
});

/** A thousand by the meter itself, and copies of them. */
async function fill(store: Store, pods: number, at: number): Promise<void> {
  const account = { id: "account", name: "bench", webhookSecret: null, createdAt: at };
  await store.write(insertAccount, account);
  const some = Array.from({ length: Math.min(pods, 1_000) }, (_, n) => thing(n));
  await Promise.all(some.map((each) => store.write(meter, each, at)));
  for (let n = 1_000; n < pods; n += 1_000) await store.write(copyOfFirst, 1_000, n);
}

const facts =
  "endpoint_id, gpu_type_id, data_center_id, image_name, template_id, key_id, running, disk_gb, carry";

/** So many more, each somewhat dearer than the one it is made from. */
function* copyOfFirst(count: number, n: number): Verb<void> {
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

/** One pass of the meter; the longest single turn is what other requests may have to wait for. */
async function pass(store: Store, now: number): Promise<{ ms: number; longest: number }> {
  const began = performance.now();
  let [last, longest] = [began, 0];
  const write: Store["write"] = async (verb, ...args) => {
    const result = await store.write(verb, ...args);
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
    return result;
  };
  await chargeAll({ write }, now, A_TURN);
  return { ms: performance.now() - began, longest };
}

/** The roll-ups of the charged hours once more, `later` milliseconds later. */
function* repeatBlock(later: number): Verb<void> {
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

function* meteredTo(at: number): Verb<void> {
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
  among: {},
};

interface NewStore {
  store: Store;
  /** Does at once what the database would do by itself some time after much was written. */
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
  const ask = (grouping: Grouping, resourceId: string | null) => () =>
    spendHistory({ store, clock }, { ...year, grouping, resourceId });
  const byType = await timed(9, ask("gpuTypeId", null));
  const byPod = await timed(3, ask("resourceId", null));
  const onePod = await timed(9, ask("resourceId", "pod7"));
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

One pass over ${PODS} running Pods, ${A_TURN} to a turn, the median of seven; the goal is under a
second. PostgreSQL is vacuumed once it is filled, as it would be by itself. The longest turn is what
another request may have to wait for. In the pass that comes upon the end of an hour each Pod is charged
twice, up to it and from it on.

${markdownTable(["store", "a pass", "goal", "its longest turn", "over an hour's end", "its longest turn"], lines)}
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
  return `## Looking back

A year of ${HISTORY_PODS} Pods, ${HISTORY_PODS * HOURS} Pods and hours, asked for by day (five days that were
really charged, 73 times over); the goal for all Pods by GPU type is under ${DAY_GOAL_MS} ms.

${markdownTable(columns, lines)}
`;
}

const parts: string[] = [];
if (only !== "history") parts.push(await meteringPart());
if (only !== "metering") parts.push(await historyPart());
rmSync(folder, { recursive: true });
const load = `load ${loadavg()[0]!.toFixed(1)}, of this bench and of whatever else ran`;
const page = `# Money

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

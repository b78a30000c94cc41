// npm run bench:billing: what metering and looking back cost, on SQLite and on PostgreSQL. Everything
// goes through the store's own verbs; only time is made up.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { HOUR_MS } from "../../src/domain/money/owed.ts";
import { type Grouping, spendHistory } from "../../src/flows/billing/history.ts";
import { insertAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/dialect/postgres/open.ts";
import { openSqlite } from "../../src/store/dialect/sqlite/open.ts";
import { chargeDue } from "../../src/store/money/charge.ts";
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

async function fill(store: Store, pods: number, at: number): Promise<void> {
  const account = { id: "account", name: "bench", webhookSecret: null, createdAt: at };
  await store.write(insertAccount, account);
  for (let n = 0; n < pods; n += 250) {
    const some = Array.from({ length: Math.min(250, pods - n) }, (_, i) => thing(n + i));
    await Promise.all(some.map((each) => store.write(meter, each, at)));
  }
}

/** One pass of the meter; the longest single turn is what other requests may have to wait for. */
async function pass(store: Store, now: number): Promise<{ ms: number; longest: number }> {
  const began = performance.now();
  let longest = 0;
  for (let last = began; (await store.write(chargeDue, now, A_TURN)) > 0; ) {
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
  }
  return { ms: performance.now() - began, longest };
}

/** The charged hours once more, `later` milliseconds later. */
function* repeatBlock(later: number): Verb<void> {
  const end = START + BLOCK * HOUR_MS;
  for (const table of ["usage_hour", "usage_day"]) {
    yield* change(
      `insert into ${table} select usage_id, at + cast(? as bigint), ms, micros from ${table} where at < ?`,
      later,
      end,
    );
  }
  for (const table of ["spend_hour", "spend_day"]) {
    yield* change(
      `insert into ${table} select account_id, kind, at + cast(? as bigint), endpoint_id, gpu_type_id,
         data_center_id, image_name, template_id, key_id, run_ms, ms, gb_ms, micros from ${table} where at < ?`,
      later,
      end,
    );
  }
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

async function measure(name: string, open: () => Promise<Store>) {
  process.stderr.write(`${name}: ${PODS} Pods\n`);
  const many = await open();
  await fill(many, PODS, START);
  const passes: { ms: number; longest: number }[] = [];
  for (let n = 1; n <= 7; n++) passes.push(await pass(many, START + n * 60_000));
  await many.close();

  process.stderr.write(`${name}: ${HOURS} hours of ${HISTORY_PODS} Pods\n`);
  const store = await open();
  await fill(store, HISTORY_PODS, START);
  const began = performance.now();
  for (let hour = 1; hour <= BLOCK; hour++) await pass(store, START + hour * HOUR_MS);
  const made = performance.now() - began;
  for (let hour = BLOCK; hour < HOURS; hour += BLOCK) {
    await store.write(repeatBlock, hour * HOUR_MS);
  }
  const clock = { ...systemClock, now: () => START + HOURS * HOUR_MS };
  const ask = (grouping: Grouping, resourceId: string | null) => () =>
    spendHistory({ store, clock }, { ...year, grouping, resourceId });
  const byType = await timed(9, ask("gpuTypeId", null));
  const byPod = await timed(3, ask("resourceId", null));
  const onePod = await timed(9, ask("resourceId", "pod7"));
  await store.close();
  return {
    name,
    passMs: median(passes.map(({ ms }) => ms)),
    longest: median(passes.map(({ longest }) => longest)),
    slicesPerSecond: (HISTORY_PODS * BLOCK) / (made / 1_000),
    byType,
    byPod,
    onePod,
  };
}

const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
let files = 0;
const server = await postgres();
const parties = [
  await measure("SQLite", async () => openSqlite(path.join(folder, `${files++}.db`))),
  await measure("PostgreSQL", async () => openPostgres(await server.newDatabase())),
];
rmSync(folder, { recursive: true });

const ms = (value: number) => `${value.toFixed(0)} ms`;
const verdict = (value: number, goal: number) => (value < goal ? "met" : "not met");
const page = `# Money

Written by \`npm run bench:billing\` on ${new Date().toISOString().slice(0, 10)}.

${describeMachine()
  .map((each) => `- ${each}`)
  .join("\n")}

## Metering

One pass over ${PODS} running Pods, ${A_TURN} to a turn, the median of seven; the goal is under a
second. The longest turn is what another request may have to wait for.

${markdownTable(
  ["store", "a pass", "goal", "its longest turn"],
  parties.map((p) => [p.name, ms(p.passMs), verdict(p.passMs, PASS_GOAL_MS), ms(p.longest)]),
)}

## Looking back

A year of ${HISTORY_PODS} Pods, ${HISTORY_PODS * HOURS} hourly slices, asked for by day (five days that were
really charged, 73 times over); the goal for all Pods by GPU type is under ${DAY_GOAL_MS} ms.

${markdownTable(
  [
    "store",
    "by GPU type",
    "goal",
    "by Pod (365,000 records)",
    "one Pod",
    "slices written per second",
  ],
  parties.map((p) => [
    p.name,
    ms(p.byType),
    verdict(p.byType, DAY_GOAL_MS),
    ms(p.byPod),
    ms(p.onePod),
    p.slicesPerSecond.toFixed(0),
  ]),
)}
`;
process.stdout.write(page);
const file = path.join(import.meta.dirname, "..", "results", "billing.md");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, page);
process.exit(0);

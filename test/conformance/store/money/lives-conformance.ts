// Many lifetimes on one ledger, with two meters at once, transactions that are killed, and a clock
// that is up to an hour off. Charges match the model to the micro-dollar in every grouping.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../../../src/base/units.ts";
import { labelOf } from "../../../../src/domain/label/labels.ts";
import type { Attribution } from "../../../../src/domain/money/attribution.ts";
import { insertAccount } from "../../../../src/store/account/account.ts";
import { rows, type Tx } from "../../../../src/store/engine/statement.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { unbalanced } from "../../../../src/store/ledger/ledger.ts";
import type { Spent } from "../../../../src/store/usage/history.ts";
import { chargeAll, chargeSome } from "../../../../src/transactions/money/charge-all.ts";
import {
  attribute,
  endMeter,
  meter,
  meterDisks,
  reprice,
} from "../../../../src/transactions/money/meter.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { diskRateAt, type Event, eventsOf, kinds, type Life, randomFrom, Truth } from "./lives.ts";
import { spentByResource } from "./money.ts";

const SPAN_MS = 20 * 24 * HOUR_MS;
const BATCH = 100;
const PASS_SIZE = 1_000;
const KILLED = new Error("killed");

/** FREEHOLD_LIVES sets another count for a longer run, FREEHOLD_SEED a known seed. */
export function livesConformance(open: OpenStore, usual: number): void {
  const count = Number(process.env.FREEHOLD_LIVES ?? usual);
  const seed = Number(process.env.FREEHOLD_SEED ?? 1 + Math.floor(Math.random() * 1e9));

  test(`${count} lifetimes are charged exactly (seed ${seed})`, async (t) => {
    const { store, now: start } = await Fixture.set(open, t);
    const other = { id: "other", name: "other", webhookSecret: null, createdAt: start };
    await store.write(insertAccount, other);
    const random = randomFrom(seed);
    const events = eventsOf(count, { start, spanMs: SPAN_MS }, random);
    const truths = new Map<Life, Truth>();
    const counts = { events: events.length, kills: 0, passes: 0 };
    let now = start;
    for (let from = 0; from < events.length; from += BATCH) {
      const some = events.slice(from, from + BATCH);
      now = Math.max(now, ...some.map(({ at }) => at));
      await apply(store, some, truths, random, counts);
      await meterTwice(store, now, random, counts);
    }
    now += 2 * HOUR_MS;
    await chargeAll(store, now, PASS_SIZE);
    const micros = await compare(store, [...truths.values()], now);
    t.diagnostic(
      `${count} lives, ${counts.events} events, ${counts.kills} kills, ${counts.passes} passes of two meters: ${micros} micro-dollars, all matched`,
    );
  });
}

type Counts = { kills: number; passes: number };
type Random = (below: number) => number;

/** Reports every event. A report that was killed is repeated, and some others are too. */
async function apply(
  store: Store,
  events: Event[],
  truths: Map<Life, Truth>,
  random: Random,
  counts: Counts,
): Promise<void> {
  const writes: Promise<unknown>[] = [];
  for (const event of events) {
    const truth = truths.get(event.life) ?? new Truth(event.life);
    truths.set(event.life, truth);
    truth.happens(event);
    while (random(6) === 0) {
      writes.push(writeKilled(store, () => transactionOf(event), random));
      counts.kills += 1;
    }
    writes.push(store.write(() => transactionOf(event)));
    if (random(10) === 0) writes.push(store.write(() => transactionOf(event)));
  }
  await Promise.all(writes);
}

function transactionOf({ life, at, ...event }: Event): Tx<unknown> {
  const { thing, unitMs } = life;
  const { resourceId } = thing;
  if (event.what === "run" || event.what === "price") {
    const price = { rate: event.rate, diskRate: diskRateAt(life, event.rate) };
    return event.what === "run"
      ? meter({ ...thing, ...price, ...event.of }, at)
      : reprice(resourceId, { running: price }, at);
  }
  if (event.what === "label") return attribute(resourceId, event.of, at);
  return event.what === "stop"
    ? meterDisks(resourceId, { ...event, ...event.of }, at)
    : endMeter(resourceId, at, unitMs);
}

/**
 * Runs two meters at once, neither with the right time, and now and then a third that is killed.
 */
async function meterTwice(store: Store, now: number, random: Random, counts: Counts) {
  const pass = async (at: number) => {
    await chargeAll(store, at, PASS_SIZE);
  };
  if (random(3) === 0) {
    counts.kills += 1;
    await writeKilled(store, () => chargeSome(0, now, PASS_SIZE), random);
  }
  const skew = () => random(2 * HOUR_MS) - HOUR_MS;
  await Promise.all([pass(now + skew()), pass(now + skew())]);
  counts.passes += 1;
}

/**
 * Runs a transaction up to one of its first statements and kills it; nothing of it is committed.
 */
async function writeKilled(store: Store, start: () => Tx<unknown>, random: Random): Promise<void> {
  const after = random(12);
  const doomed = function* (): Tx<void> {
    const transaction = start();
    let step = transaction.next();
    for (let n = 0; !step.done; n++) {
      if (n === after) throw KILLED;
      step = transaction.next(yield step.value);
    }
    throw KILLED;
  };
  await assert.rejects(store.write(doomed), KILLED);
}

type Sums = Record<string, [micros: number, diskMicros: number, runMs: number]>;

interface Cost {
  micros: number;
  diskMicros: number;
  runMs: number;
}

function add(sums: Sums, key: string, { micros, diskMicros, runMs }: Cost): void {
  const [before, disks, ran] = sums[key] ?? [0, 0, 0];
  if (micros === 0 && runMs === 0 && !sums[key]) return;
  sums[key] = [before + micros, disks + diskMicros, ran + runMs];
}

const DAY_MS = 24 * HOUR_MS;
const dimensions = ["endpointId", "gpuTypeId", "dataCenterId", "imageName", "keyId"] as const;

/** Compares every grouping, by hour and by day; returns what was spent in total. */
async function compare(store: Store, truths: Truth[], now: number): Promise<number> {
  const groups: Record<string, Sums> = {};
  const books: Record<string, number> = {};
  let total = 0;
  const into = (group: string, key: string, cost: Cost) => {
    groups[group] ??= {};
    add(groups[group], key, cost);
  };
  for (const truth of truths) {
    const { thing } = truth.life;
    for (const { at, of, ...cost } of truth.hours(now)) {
      const { micros } = cost;
      const day = Math.floor(at / DAY_MS) * DAY_MS;
      const accountAndKind = `${thing.accountId} ${thing.kind}`;
      into("resource hour", `${thing.resourceId} ${at}`, cost);
      into("resource day", `${thing.resourceId} ${day}`, cost);
      into("owner hour", `${accountAndKind} ${groupText("owner", of)} ${at}`, cost);
      into("label day", `${accountAndKind} ${groupText("label", of)} ${day}`, cost);
      for (const fact of dimensions) {
        into(`${fact} hour`, `${accountAndKind} ${thing[fact]} ${at}`, cost);
        into(`${fact} day`, `${accountAndKind} ${thing[fact]} ${day}`, cost);
      }
      books[`${thing.accountId} balance`] = (books[`${thing.accountId} balance`] ?? 0) - micros;
      books[`${thing.accountId} revenue`] = (books[`${thing.accountId} revenue`] ?? 0) + micros;
      total += micros;
    }
  }
  for (const [group, truth] of Object.entries(groups)) {
    assert.deepEqual(differences(await chargedBy(store, group), truth), [], group);
  }
  for (const table of ["ledger_entry", "ledger_balance"]) {
    assert.deepEqual(
      await store.read(booksIn, table),
      Object.fromEntries(Object.entries(books).sort()),
    );
  }
  assert.deepEqual(await store.read(unbalanced), []);
  return total;
}

/** The first few: a diff of all sums would take the test runner minutes and gigabytes. */
function differences(charged: Sums, truth: Sums): string[] {
  return [...new Set([...Object.keys(charged), ...Object.keys(truth)])]
    .filter((key) => textOf(charged[key]) !== textOf(truth[key]))
    .slice(0, 10)
    .map((key) => `${key}: charged ${textOf(charged[key])}, due ${textOf(truth[key])}`);
}

/** A sum without cost or time is the same as none. */
const textOf = ([micros, diskMicros, runMs]: Sums[string] = [0, 0, 0]) =>
  micros === 0 && runMs === 0 ? "nothing" : `${micros} (disks ${diskMicros}) for ${runMs} ms`;

async function chargedBy(store: Store, group: string): Promise<Sums> {
  const [fact, unit] = group.split(" ") as [string, "hour" | "day"];
  const found = await (fact === "resource"
    ? byResource(store, unit, ({ resourceId }) => resourceId!)
    : fact === "owner" || fact === "label"
      ? byResource(store, unit, (spent, of) => `${of} ${groupText(fact, spent)}`)
      : store.read(byDimension, fact, unit));
  const sums: Sums = {};
  for (const { key, micros, diskMicros, runMs } of found) {
    const cost = { micros: Number(micros), diskMicros: Number(diskMicros), runMs: Number(runMs) };
    add(sums, key, cost);
  }
  return sums;
}

interface Sum extends Cost {
  key: string;
}

/** Cost without the label is a group of its own, apart from that of an empty label. */
const groupText = (fact: string, { ownerId, labels }: Partial<Attribution>) =>
  JSON.stringify(fact === "label" ? labelOf(labels!, "team") : ownerId);

async function byResource(
  store: Store,
  unit: "hour" | "day",
  keyOf: (spent: Spent, accountAndKind: string) => string,
): Promise<Sum[]> {
  const found: Sum[] = [];
  for (const accountId of ["account", "other"]) {
    for (const kind of kinds) {
      const window = { accountId, kind, unit, from: 0, to: Number.MAX_SAFE_INTEGER };
      for (const spent of await spentByResource(store, window)) {
        found.push({ ...spent, key: `${keyOf(spent, `${accountId} ${kind}`)} ${spent.at}` });
      }
    }
  }
  return found;
}

function* byDimension(fact: string, unit: "hour" | "day"): Tx<Sum[]> {
  const column = fact.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  return yield* rows<Sum>(
    `select account_id || ' ' || kind || ' ' || ${column} || ' ' || at as key, micros,
       disk_micros as "diskMicros", run_ms as "runMs"
     from spend_${unit}`,
  );
}

function* booksIn(table: string): Tx<Record<string, number>> {
  const found = yield* rows<{ book: string; micros: number }>(
    `select account_id || ' ' || book as book, sum(micros) as micros from ${table}
     group by account_id, book order by account_id, book`,
  );
  return Object.fromEntries(found.map(({ book, micros }) => [book, Number(micros)]));
}

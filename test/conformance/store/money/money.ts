// Money: charges equal usage to the micro-dollar, with concurrent meters and a clock that jumps.
// Every transaction is balanced, and every history adds up to the ledger.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../../../src/base/units.ts";
import { leftOver, owed } from "../../../../src/domain/money/owed.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { postCredit, unbalanced } from "../../../../src/store/ledger/ledger.ts";
import {
  endedUsagesIn,
  openUsagesIn,
  type Spent,
  spentByDimensions,
  spentOn,
  type UsageCursor,
  type UsageWindow,
} from "../../../../src/store/usage/history.ts";
import type { Metered, MeteredUsage } from "../../../../src/store/usage/usage.ts";
import { chargeAll } from "../../../../src/transactions/money/charge-all.ts";
import { endMeter, meter, meterDisks } from "../../../../src/transactions/money/meter.ts";
import { standingOf } from "../../../../src/transactions/money/standing.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const DAY_MS = 24 * HOUR_MS;

export const metered = (
  resourceId: string,
  rate: number,
  more: Partial<Metered> = {},
): Metered => ({
  accountId: "account",
  kind: "pod",
  resourceId,
  endpointId: "",
  gpuTypeId: "G",
  dataCenterId: "",
  imageName: "",
  templateId: "",
  volumeType: "",
  gpus: 0,
  keyId: "",
  ownerId: null,
  labels: {},
  running: true,
  diskGb: 10,
  rate,
  diskRate: Math.floor(rate / 3),
  ...more,
});

const meterAll = (store: Store, now: number) => chargeAll(store, now, 3);

const balanceOf = async (store: Store, now: number) =>
  (await store.read(standingOf, "account", now)).balance;

/** Reads a few usages at a time. */
export async function spentByResource(store: Store, window: UsageWindow): Promise<Spent[]> {
  const usages: MeteredUsage[] = await store.read(openUsagesIn, window);
  for (const which of ["ended", "long"] as const) {
    for (let after: UsageCursor | undefined = { endedAt: 0, id: 0 }; after !== undefined; ) {
      const page: MeteredUsage[] = await store.read(endedUsagesIn, window, which, after, 7);
      usages.push(...page);
      const last = page.at(-1);
      after = last && { endedAt: last.endedAt!, id: last.id };
    }
  }
  return usages.flatMap((usage) => [...spentOn(usage, window)]);
}

/** What was spent according to the histories, which must agree. */
async function spentOf(store: Store, from: number, to: number): Promise<number> {
  const window = (unit: "hour" | "day"): UsageWindow => {
    const start = Math.floor(from / DAY_MS) * DAY_MS;
    return { accountId: "account", kind: "pod", from: start, to: to + DAY_MS, unit };
  };
  const sum = (records: { micros: number }[]) =>
    records.reduce((all, { micros }) => all + micros, 0);
  const histories = [
    await store.read(spentByDimensions, window("hour")),
    await store.read(spentByDimensions, window("day")),
    await spentByResource(store, window("hour")),
    await spentByResource(store, window("day")),
  ];
  const sums = histories.map(sum);
  assert.deepEqual(new Set(sums).size, 1, `the histories differ: ${sums}`);
  const disks = histories.map((records) => records.reduce((all, each) => all + each.diskMicros, 0));
  assert.deepEqual(new Set(disks).size, 1, `the parts for disks differ: ${disks}`);
  return sums[0]!;
}

/** A change of a resource, or a pass of the meter, after a time that may be negative. */
const anyAct = fc.record({
  what: fc.constantFrom("run", "stop", "end", "meter", "meterTwice"),
  resource: fc.constantFrom("a", "b", "c"),
  rate: fc.oneof(
    fc.integer({ min: 0, max: 3_000_000_000 }),
    // The most expensive resource at the highest prices.
    fc.integer({ min: 0, max: 200_000_000_000 }),
  ),
  // Up to an hour back now and then, as when a clock is set.
  passes: fc.oneof(
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 0, max: 5 * HOUR_MS }),
    fc.integer({ min: -HOUR_MS, max: 0 }),
  ),
});

export function moneyConformance(open: OpenStore, histories: number): void {
  test("usage is charged once, however often the meter runs", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(meter, metered("p", 1_000_000), now);
    await meterAll(store, now + HOUR_MS / 2);
    await meterAll(store, now + HOUR_MS / 2);
    assert.equal(await balanceOf(store, now + HOUR_MS / 2), -500_000);
    await Promise.all([
      meterAll(store, now + 3 * HOUR_MS),
      meterAll(store, now + 3 * HOUR_MS),
      meterAll(store, now + 2 * HOUR_MS),
    ]);
    assert.equal(await spentOf(store, now, now + 3 * HOUR_MS), 3_000_000);
    assert.equal(await balanceOf(store, now + 3 * HOUR_MS), -3_000_000);
    assert.deepEqual(await store.read(unbalanced), []);
  });

  test("a balance is exact at any moment, also between two passes of the meter", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(
      postCredit,
      "account",
      { micros: 5_000_000, kind: "top_up", note: "cash" },
      now,
    );
    await store.write(meter, metered("p", 3_600_000), now);
    assert.deepEqual(await store.read(standingOf, "account", now + 1_000), {
      balance: 4_999_000,
      perHour: 3_600_000,
      spent: 1_000,
    });
    assert.deepEqual(await store.read(unbalanced), []);
  });

  test("charges beyond an end that is reported late are returned", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(meter, metered("p", 7_777_777), now);
    await meterAll(store, now + 5 * HOUR_MS);
    await store.write(endMeter, "p", now + HOUR_MS + 1);
    await meterAll(store, now + 9 * HOUR_MS);
    const truth = owed({ rate: 7_777_777, beganAt: now, carry: 0 }, now + HOUR_MS + 1);
    assert.equal(await spentOf(store, now, now + 9 * HOUR_MS), truth);
    assert.equal(await balanceOf(store, now + 9 * HOUR_MS), -truth);
  });

  test("repeating a report changes nothing; a resource ends once", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    for (const later of [0, 10, 20]) await store.write(meter, metered("p", 3_600_000), now + later);
    await store.write(endMeter, "p", now + 1_000);
    await store.write(endMeter, "p", now + 2_000);
    await store.write(meterDisks, "p", { rate: 5, diskGb: 1 }, now + 3_000);
    assert.equal(await spentOf(store, now, now + 4_000), 1_000);
  });

  test("any sequence of changes, metered by two at once, is charged exactly", async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { maxLength: 30 }), async (acts) => {
        const { store, now: start } = await Fixture.set(open, t);
        const { truth, until: latest } = await perform(store, start, acts);
        await meterAll(store, latest);
        assert.equal(await spentOf(store, start, latest), truth.until(latest));
        assert.equal(await balanceOf(store, latest), 0 - truth.until(latest));
        assert.deepEqual(await store.read(unbalanced), []);
      }),
      { numRuns: histories, endOnFailure: true },
    );
  });
}

interface Act {
  what: string;
  resource: string;
  rate: number;
  passes: number;
}

/** Performs the acts in the store and in the model. */
async function perform(store: Store, start: number, acts: Act[]) {
  const truth = new Truth();
  let now = start;
  let latest = start;
  for (const { what, resource, rate, passes } of acts) {
    now = Math.max(start, now + passes);
    latest = Math.max(latest, now);
    if (what === "run") {
      await store.write(meter, metered(resource, rate), now);
      truth.run(resource, rate, now);
    } else if (what === "stop") {
      await store.write(meterDisks, resource, { rate: 5_000, diskGb: 1 }, now);
      truth.stop(resource, 5_000, now);
    } else if (what === "end") {
      await store.write(endMeter, resource, now);
      truth.end(resource, now);
    } else if (what === "meter") await meterAll(store, now);
    else await Promise.all([meterAll(store, now), meterAll(store, now + 1)]);
  }
  return { truth, until: latest + 1 };
}

/** The model: what was used, computed without any metering. */
class Truth {
  readonly #open = new Map<
    string,
    { rate: number; beganAt: number; carry: number; running: boolean }
  >();
  readonly #past = new Map<string, { end: number; carry: number }>();
  #closed = 0;

  run(id: string, rate: number, at: number): void {
    const open = this.#open.get(id);
    if (open?.running && open.rate === rate) return;
    this.#begin(id, rate, at, true);
  }

  stop(id: string, rate: number, at: number): void {
    const open = this.#open.get(id);
    if (open?.running) this.#begin(id, rate, at, false);
  }

  end(id: string, at: number): void {
    const open = this.#open.get(id);
    if (!open) return;
    const end = Math.max(at, open.beganAt);
    this.#closed += owed(open, end);
    this.#past.set(id, { end, carry: leftOver(open, end) });
    this.#open.delete(id);
  }

  until(now: number): number {
    let sum = this.#closed;
    for (const open of this.#open.values()) sum += owed(open, now);
    return sum;
  }

  #begin(id: string, rate: number, at: number, running: boolean): void {
    this.end(id, at);
    const past = this.#past.get(id);
    const beganAt = Math.max(at, past?.end ?? at);
    this.#open.set(id, { rate, beganAt, carry: past?.carry ?? 0, running });
  }
}

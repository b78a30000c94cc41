// Prices that change during usage: usage before the change is charged at the old price, to the
// millisecond, and whole billing units are not rounded at the change.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../../../src/base/units.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { unbalanced } from "../../../../src/store/ledger/ledger.ts";
import { chargeAll } from "../../../../src/transactions/money/charge-all.ts";
import { endMeter, meter, meterDisks, reprice } from "../../../../src/transactions/money/meter.ts";
import { standingOf } from "../../../../src/transactions/money/standing.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { metered } from "./money.ts";

const owedBy = async (store: Store, now: number) =>
  0 - (await store.read(standingOf, "account", now)).balance;

export function repriceConformance(open: OpenStore): void {
  test("each price is charged for its own time, and a remainder is carried over", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(meter, metered("p", 1), now);
    let parts = 0;
    for (const [n, rate] of [7_777_777, 1, 3_333_333].entries()) {
      const at = now + n * HOUR_MS + n + 1;
      parts += n === 0 ? 1 : [7_777_777, 1][n - 1]! * (HOUR_MS + 1);
      await store.write(reprice, "p", { running: { rate, diskRate: 0 } }, at);
      await store.write(reprice, "p", { stopped: { rate: 9, diskRate: 9 } }, at);
      await store.write(reprice, "p", { running: { rate, diskRate: 0 } }, at + 5);
    }
    const end = now + 9 * HOUR_MS;
    parts += 3_333_333 * (end - (now + 2 * HOUR_MS + 3));
    await chargeAll(store, end, 100);
    assert.equal(await owedBy(store, end), Math.floor(parts / HOUR_MS));
    assert.deepEqual(await store.read(unbalanced), []);
  });

  test("an end before a change that is reported after it undoes the change", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    for (const id of ["ends", "stops"]) await store.write(meter, metered(id, 3_600_000), now);
    for (const hours of [2, 3, 4]) {
      const [at, rate] = [now + hours * HOUR_MS, hours * 10_000_000];
      for (const id of ["ends", "stops"])
        await store.write(reprice, id, { running: { rate, diskRate: 0 } }, at);
      await chargeAll(store, at + HOUR_MS, 100);
    }
    await store.write(endMeter, "ends", now + HOUR_MS);
    const disk = { rate: 1_000_000, diskGb: 1 };
    await store.write(meterDisks, "stops", disk, now + 2 * HOUR_MS);
    assert.equal(await owedBy(store, now + 5 * HOUR_MS), 3_600_000 * 3 + 3 * 1_000_000);
    await store.write(reprice, "ends", { running: { rate: 1, diskRate: 0 } }, now + 6 * HOUR_MS);
    assert.equal(await owedBy(store, now + 5 * HOUR_MS), 3_600_000 * 3 + 3 * 1_000_000);
    assert.deepEqual(await store.read(unbalanced), []);
  });

  test("the last second is billed whole, counted from the start and not from the change", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(meter, metered("w", 3_600_000), now);
    await store.write(reprice, "w", { running: { rate: 7_200_000, diskRate: 0 } }, now + 300);
    await store.write(endMeter, "w", now + 1_100, 1_000);
    assert.equal(await owedBy(store, now + HOUR_MS), 300 + 2 * 1_700);
  });
}

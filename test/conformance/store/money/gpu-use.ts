// What projects have used of GPUs over time: folded or not, after a project is deleted, and with a clock that is set back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../../../src/base/units.ts";
import { DEFAULT_HALF_LIFE_MS as HALF_LIFE_MS } from "../../../../src/domain/gpu-use/decay.ts";
import { groupOf } from "../../../../src/domain/gpu-use/share-order.ts";
import { change } from "../../../../src/store/engine/statement.ts";
import { findPod } from "../../../../src/store/pod/row.ts";
import { deleteProject, insertProject } from "../../../../src/store/project/project.ts";
import { foldUse, readShares, readTurns } from "../../../../src/transactions/gpu-use/shares.ts";
import { endMeter, meter } from "../../../../src/transactions/money/meter.ts";
import { markRunning, markStarting } from "../../../../src/transactions/pod/observe.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine, moveOf, rentPod } from "../pod/pod.ts";
import { metered } from "./money.ts";

const NONE = groupOf("account", null);

/** One GPU since the beginning, and three for the first hour. */
async function begin(open: Parameters<typeof Fixture.set>[0], t: Parameters<OpenStore>[0]) {
  const { store, now } = await Fixture.set(open, t);
  await store.write(meter, metered("one", 100, { gpus: 1 }), now);
  await store.write(meter, metered("three", 100, { gpus: 3 }), now);
  await store.write(meter, metered("disks", 100, { gpuTypeId: "" }), now);
  await store.write(endMeter, "three", now + HOUR_MS);
  const hoursAt = async (at: number, group = NONE) =>
    ((await store.read(readShares, at)).uses.get(group) ?? 0) / HOUR_MS;
  const near = async (at: number, hours: number) => {
    const found = await hoursAt(at);
    assert.ok(Math.abs(found - hours) < 0.02, `${found} of ${hours} at ${at - now}`);
  };
  return { store, now, hoursAt, near };
}

export function gpuUseConformance(open: OpenStore): void {
  test("what was used counts the same before and after it is folded", async (t) => {
    const { store, now, hoursAt } = await begin(open, t);
    for (const hours of [1, 10, 200]) {
      const at = now + hours * HOUR_MS;
      const before = await hoursAt(at);
      await store.write(foldUse, HALF_LIFE_MS, at);
      const after = await hoursAt(at);
      assert.ok(Math.abs(after - before) < 0.001, `${before} hours, then ${after}`);
      assert.ok(hours > 10 || Math.abs(after - hours - 3) < 0.5, `${after} in ${hours} hours`);
    }
  });

  test("what a deleted project used counts for nothing", async (t) => {
    const { store, now, hoursAt } = await begin(open, t);
    const project = { id: "p", accountId: "account", name: "p", createdAt: now };
    assert.ok(await store.write(insertProject, project));
    const at = now + 2 * HOUR_MS;
    await store.write(foldUse, HALF_LIFE_MS, at);
    await store.write(change, "update gpu_use set project_id = 'p'");
    const group = groupOf("account", "p");
    assert.ok((await hoursAt(at, group)) > 0);
    await store.write(deleteProject, project);
    assert.equal(await hoursAt(at, group), 0);
    await store.write(foldUse, HALF_LIFE_MS, at + HOUR_MS);
    assert.equal(await hoursAt(at + HOUR_MS, group), 0);
  });

  test("what was used counts on when the clock is set back by a year", async (t) => {
    const { store, now, near, hoursAt } = await begin(open, t);
    const ahead = now + 365 * 24 * HOUR_MS;
    await store.write(endMeter, "one", now + HOUR_MS);
    await store.write(meter, metered("late", 100, { gpus: 2 }), ahead);
    await store.write(endMeter, "late", ahead + HOUR_MS);
    await store.write(foldUse, HALF_LIFE_MS, ahead + 2 * HOUR_MS);
    const back = now + 2 * HOUR_MS;
    await near(back, 2);
    await store.write(foldUse, HALF_LIFE_MS, back);
    await near(back, 2);
    await store.write(meter, metered("new", 100, { gpus: 5 }), back);
    const used = await hoursAt(back + HOUR_MS);
    assert.ok(Math.abs(used - 7) < 0.1, `${used} hours`);
  });

  test("GPUs count an hour in turns from when a Pod has them, and no more once it ran for longer", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    const turnAt = async (at: number) => (await store.read(readTurns, at))(NONE).gpuMs / HOUR_MS;
    assert.equal(await turnAt(now), 0);
    for (const id of ["p", "q"]) assert.ok(await store.write(rentPod, id, now));
    assert.equal(await turnAt(now), 2);
    assert.equal((await store.read(readShares, now)).uses.size, 0);
    const running = { startedAt: now, dataCenterId: null, publicIp: "127.0.0.1" };
    assert.ok(await store.write(markStarting, (await store.read(findPod, "p"))!, 1, 0));
    await store.write(markRunning, (await store.read(findPod, "p"))!, running);
    assert.equal(await turnAt(now), 2);
    await store.write(moveOf, "q", "stop", now);
    for (const [hours, turn] of [
      [0.5, 1],
      [3, 3],
    ] as const) {
      const found = await turnAt(now + hours * HOUR_MS);
      assert.ok(Math.abs(found - turn) < 0.1, `${found} after ${hours} hours`);
    }
  });
}

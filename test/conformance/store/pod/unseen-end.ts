// Containers that should not run, on machines that cannot report their end.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../../../../src/store/engine/store.ts";
import { overduePods } from "../../../../src/store/pod/overdue.ts";
import { findPod } from "../../../../src/store/pod/row.ts";
import { billedUnseen } from "../../../../src/store/pod/unseen-end.ts";
import { ratesOf } from "../../../../src/store/usage/usage.ts";
import { markLost } from "../../../../src/transactions/machine/lose.ts";
import { endUnseen } from "../../../../src/transactions/pod/end-unseen.ts";
import { markRunning, markStarting } from "../../../../src/transactions/pod/observe.ts";
import {
  enterReplica,
  heartbeat,
  leaveReplica,
} from "../../../../src/transactions/replica/membership.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine, machineWith, moveOf, rentPod } from "./pod.ts";

const TIMING = { leaseMs: 1_000, goneMs: 8_000 };

export async function runPod(store: Store, id: string, now: number): Promise<void> {
  const pricing = { runningRate: 3, stoppedRate: 1 };
  const pod = (await store.write(rentPod, id, now, { pricing }))!;
  await store.write(markStarting, pod, 1, now);
  const starting = (await store.read(findPod, id))!;
  await store.write(markRunning, starting, { startedAt: now, dataCenterId: null, publicIp: null });
}

export function unseenEndConformance(open: OpenStore): void {
  test("a container that should not run is billed while its end can be reported, and no longer", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    for (const id of ["stays", "stopped", "deleted"]) await runPod(store, id, now);
    const bill = async (id: string) =>
      (await store.read(ratesOf, id)).map(({ rate, endedAt }) => [rate, endedAt && endedAt - now]);
    const overdue = async () => (await store.read(overduePods, now + 15)).map(({ id }) => id);
    await store.write(moveOf, "stopped", "stop", now + 10);
    await store.write(moveOf, "deleted", "delete", now + 10);
    await store.write(heartbeat, machineWith("m", ["simulated"]), now + 20, TIMING);
    assert.deepEqual(await bill("stopped"), [[3, null]]);
    assert.deepEqual(await store.read(billedUnseen), []);
    assert.deepEqual(await overdue(), ["deleted", "stopped"]);
    assert.equal(await store.write(endUnseen, "stopped", now + 25), false);

    await store.write(markLost, now + 20, now + 30);
    assert.deepEqual(await store.read(billedUnseen), ["deleted", "stopped"]);
    assert.deepEqual(await overdue(), []);
    for (const id of ["stays", "stopped", "deleted"]) await store.write(endUnseen, id, now + 40);
    assert.deepEqual(await store.read(billedUnseen), []);
    assert.deepEqual(await bill("stays"), [[3, null]]);
    assert.deepEqual(await bill("stopped"), [
      [3, 20],
      [1, null],
    ]);
    assert.deepEqual(await bill("deleted"), [[3, 20]]);
  });

  const unable: [name: string, become: (store: Store, at: number) => Promise<void>, end: number][] =
    [
      ["is lost", (store, at) => store.write(markLost, at, at), 10],
      ["has stopped", (store, at) => store.write(leaveReplica, "m", at), 20],
      [
        "lost its driver",
        (store, at) => store.write(enterReplica, machineWith("m", ["docker"]), at),
        10,
      ],
    ];
  for (const [name, become, end] of unable) {
    test(`a stop before, and one after its machine ${name}`, async (t) => {
      const { store, now } = await Fixture.set(open, t);
      await gpuMachine(store, "m", now);
      for (const id of ["before", "after"]) await runPod(store, id, now);
      const bill = async (id: string) =>
        (await store.read(ratesOf, id)).map(({ rate, endedAt }) => [
          rate,
          endedAt && endedAt - now,
        ]);
      await store.write(moveOf, "before", "delete", now + 10);
      await become(store, now + 20);
      await store.write(moveOf, "after", "delete", now + 30);
      assert.deepEqual(await bill("after"), [[3, 30]]);
      assert.deepEqual(await store.read(billedUnseen), ["before"]);
      await store.write(endUnseen, "before", now + 40);
      assert.deepEqual(await bill("before"), [[3, end]]);
    });
  }
}

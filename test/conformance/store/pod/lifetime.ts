// Maximum lifetimes in the store: which Pods end soon, and that several replicas warn and stop once.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../../../../src/store/engine/store.ts";
import { systemLines } from "../../../../src/store/log/system-log.ts";
import { endingPods } from "../../../../src/store/pod/lifetimes.ts";
import { changePod, findPod } from "../../../../src/store/pod/row.ts";
import { enforceLifetime } from "../../../../src/transactions/pod/lifetime.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine, moveOf, rentPod } from "./pod.ts";

const MINUTE_MS = 60_000;
const ALL = { tail: 1_000, since: 0, after: 0 };

const maxLifetime = (minutes: number) => ({
  desired: { maxLifetime: { minutes, extendable: true } },
});

export function podLifetimeConformance(open: OpenStore): void {
  test("replicas that enforce a maximum lifetime at once warn and stop once", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now, maxLifetime(60));
    const enforce = async (minute: number) => {
      const at = now + minute * MINUTE_MS;
      const passes = Array.from({ length: 3 }, () => store.write(enforceLifetime, "p", at));
      await Promise.all(passes);
    };
    // The clock is set back between the last two passes, and stops nothing early.
    for (const minute of [29, 30, 31, 55, 59, 54, 55]) await enforce(minute);
    assert.equal((await store.read(findPod, "p"))?.desired.state, "RUNNING");
    for (const minute of [60, 61]) await enforce(minute);
    const pod = await store.read(findPod, "p");
    const { state, cause, runningSince } = pod!.desired;
    assert.deepEqual([state, cause, runningSince], ["EXITED", "max_lifetime", null]);
    const { length: warnings } = await linesWith(store, "may run for 60 min after its start");
    const { length: stops } = await linesWith(store, "stopped: at its maximum lifetime of 60 min");
    assert.deepEqual([warnings, stops], [2, 1]);
  });

  test("a Pod whose maximum was gone for a while is warned anew before it stops", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now, maxLifetime(60));
    const enforce = (minute: number) => store.write(enforceLifetime, "p", now + minute * MINUTE_MS);
    const readState = async () => (await store.read(findPod, "p"))?.desired.state;
    await enforce(55);
    await store.write(changePod, "p", { desired: { maxLifetime: null } });
    const { pods } = await store.read(endingPods, now);
    assert.deepEqual(
      pods.map(({ id }) => id),
      ["p"],
    );
    await enforce(56);
    await store.write(changePod, "p", maxLifetime(60));
    for (const minute of [600, 604]) await enforce(minute);
    assert.equal(await readState(), "RUNNING");
    await enforce(605);
    assert.equal(await readState(), "EXITED");
    const { length: warnings } = await linesWith(store, "may run for 60 min after its start");
    assert.equal(warnings, 2);
  });

  test("Pods whose maximum ends soon are read, and when the next one is", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "soon", now, maxLifetime(30));
    await store.write(rentPod, "later", now, maxLifetime(90));
    await store.write(rentPod, "free", now);
    await store.write(rentPod, "off", now, maxLifetime(20));
    await store.write(moveOf, "off", "stop", now);
    const { pods, nextAt } = await store.read(endingPods, now);
    assert.deepEqual([pods.map(({ id }) => id), nextAt], [["soon"], now + 60 * MINUTE_MS]);
  });
}

const linesWith = async (store: Store, text: string) =>
  (await store.read(systemLines, "p", ALL)).filter(({ line }) => line.startsWith(text));

// Replicas, their duties and their machines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../domain/machine/bare.testing.ts";
import { dropDuties, hasDuty, takeDuty } from "../replica/duty.ts";
import { loseMachine } from "../replica/lose-machine.ts";
import {
  beat,
  enterReplica,
  forgetReplicas,
  leaveReplica,
  liveMachines,
  machinesInUse,
} from "../replica/replica.ts";
import { markStarted } from "../worker/worker.ts";
import { type OpenStore, Stage } from "./stage.ts";

const replica = (id: string, machine = id) => {
  return {
    id,
    machine,
    drivers: ["fake", "process"],
    address: `http://${id}:8700`,
    inventory: bareInventory,
  };
};

export function replicaLaws(open: OpenStore): void {
  dutyLaws(open);
  machineLaws(open);
}

function dutyLaws(open: OpenStore): void {
  test("a duty has one holder until its deadline, and then whoever comes first", async (t) => {
    const { store, now } = await Stage.set(open, t);
    const take = (id: string, at: number) => store.write(takeDuty, "sweep", id, at, 1_000);
    assert.deepEqual(await take("a", now), { mine: true, until: now + 1_000 });
    assert.deepEqual(await take("b", now + 999), { mine: false, until: now + 1_000 });
    assert.deepEqual(await take("a", now + 500), { mine: true, until: now + 1_500 });
    const both = await Promise.all([take("b", now + 1_500), take("c", now + 1_500)]);
    assert.deepEqual(both.map(({ mine }) => mine).sort(), [false, true]);
    assert.equal(await store.write(hasDuty, "sweep", "a"), false);
  });

  test("a duty that was let go is free at once, and says so", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await store.write(takeDuty, "sweep", "a", now, 1_000);
    let rung = 0;
    store.wakes.on("duties", () => rung++);
    await store.write(dropDuties, "a");
    assert.equal(rung, 1);
    assert.equal((await store.write(takeDuty, "sweep", "b", now, 1_000)).mine, true);
    assert.equal(await store.write(hasDuty, "sweep", "b"), true);
  });

  test("a beat moves the deadlines of what is held, and of nothing else", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await store.write(enterReplica, replica("a"), now);
    await store.write(takeDuty, "sweep", "a", now, 1_000);
    await store.write(takeDuty, "expire", "b", now, 1_000);
    assert.deepEqual(await store.write(beat, replica("a"), now + 900, 1_000), ["sweep"]);
    const take = async (name: string) => {
      return (await store.write(takeDuty, name, "c", now + 1_500, 1_000)).mine;
    };
    assert.deepEqual([await take("sweep"), await take("expire")], [false, true]);
    assert.deepEqual(await store.write(beat, replica("b"), now + 1_500, 1_000), []);
  });

  test("a new start on a machine frees what its last one held", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await store.write(enterReplica, replica("a", "m1"), now);
    await store.write(takeDuty, "sweep", "a", now, 60_000);
    await store.write(enterReplica, replica("b", "m1"), now);
    assert.equal((await store.write(takeDuty, "sweep", "c", now, 1_000)).mine, true);
    assert.deepEqual(
      (await store.read(liveMachines, now - 1)).map(({ address }) => address),
      ["http://b:8700"],
    );
  });
}

function machineLaws(open: OpenStore): void {
  test("machines are live while their replica beats and stays", async (t) => {
    const { store, now } = await Stage.set(open, t);
    const live = async (since: number) => {
      return (await store.read(liveMachines, since)).map(({ machine }) => machine);
    };
    for (const id of ["a", "b"]) await store.write(enterReplica, replica(id), now);
    await store.write(beat, replica("b"), now + 5_000, 1_000);
    assert.deepEqual(await live(now - 1), ["a", "b"]);
    assert.deepEqual(await live(now), ["b"]);
    await store.write(leaveReplica, "b", now + 5_000);
    assert.deepEqual(await live(now - 1), ["a"]);
    await store.write(enterReplica, replica("b"), now + 5_000);
    assert.deepEqual(await live(now), ["b"]);
    await store.write(forgetReplicas, now + 1);
    assert.deepEqual(await live(now - 1), ["b"]);
    await store.write(beat, replica("a"), now + 6_000, 1_000);
    assert.deepEqual(await live(now), ["a", "b"]);
  });

  test("a machine shows its drivers and how many live on it", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await store.write(enterReplica, replica("a", "m"), now);
    const [machine] = await store.read(liveMachines, now - 1);
    assert.deepEqual(machine, {
      machine: "m",
      drivers: ["fake", "process"],
      address: "http://a:8700",
      workers: 1,
    });
  });

  test("a lost machine's workers have ended, unless it was heard of after all", async (t) => {
    const stage = await Stage.set(open, t);
    const { store, now } = stage;
    assert.deepEqual(await store.read(machinesInUse), [{ machine: "m", seenAt: null }]);
    await store.write(enterReplica, replica("a", "m"), now);
    assert.deepEqual(await store.read(machinesInUse), [{ machine: "m", seenAt: now }]);
    assert.equal(await store.write(loseMachine, "m", "all", now - 1, now + 9), 0);
    assert.equal(await store.write(loseMachine, "m", "all", now, now + 9), 1);
    assert.deepEqual(await store.read(machinesInUse), []);
    const ended = "select observed || ' ' || desired || ' ' || desired_reason from worker";
    assert.equal(await stage.value(ended), "ended run the machine it ran on was lost");
    assert.equal(await store.write(loseMachine, "m", "all", now, now + 9), 0);
  });

  test("a silent machine keeps what was started there, and nothing else", async (t) => {
    const stage = await Stage.set(open, t);
    const { store, now } = stage;
    await stage.worker("later");
    await store.write(markStarted, "w", now);
    assert.equal(await store.write(loseMachine, "m", "not_started", now, now + 9), 1);
    const observed = "select observed from worker where id = ?";
    assert.equal(await stage.value(observed, "w"), "running");
    assert.equal(await stage.value(observed, "later"), "ended");
  });
}

// Replicas, their leaderships and their machines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { topic } from "../../../../src/store/engine/notifier.ts";
import {
  acquireLeadership,
  dropLeaderships,
  holdsLeadership,
} from "../../../../src/store/leadership/leadership.ts";
import {
  forgetReplicas,
  liveMachines,
  machinesInUse,
} from "../../../../src/store/replica/replica.ts";
import { loseMachine } from "../../../../src/transactions/machine/lose.ts";
import {
  enterReplica,
  heartbeat,
  leaveReplica,
} from "../../../../src/transactions/replica/membership.ts";
import { markStarted } from "../../../../src/transactions/worker/observe.ts";
import { bareInventory } from "../../../fixtures/bare-machine.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const replica = (id: string, machine = id) => {
  return {
    id,
    machine,
    drivers: ["simulated", "process"],
    address: `http://${id}:8700`,
    inventory: bareInventory,
  };
};

export function replicaConformance(open: OpenStore): void {
  leadershipConformance(open);
  machineConformance(open);
}

function leadershipConformance(open: OpenStore): void {
  test("a leadership has one holder until its deadline, then the first to acquire it", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const take = (id: string, at: number) => store.write(acquireLeadership, "sweep", id, at, 1_000);
    assert.deepEqual(await take("a", now), { mine: true, until: now + 1_000 });
    assert.deepEqual(await take("b", now + 999), { mine: false, until: now + 1_000 });
    assert.deepEqual(await take("a", now + 500), { mine: true, until: now + 1_500 });
    const both = await Promise.all([take("b", now + 1_500), take("c", now + 1_500)]);
    assert.deepEqual(both.map(({ mine }) => mine).sort(), [false, true]);
    assert.equal(await store.write(holdsLeadership, "sweep", "a"), false);
  });

  test("a leadership that is given up is free at once, and notifies", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(acquireLeadership, "sweep", "a", now, 1_000);
    let signalled = 0;
    store.notifier.on(topic.leaderships, () => signalled++);
    await store.write(dropLeaderships, "a");
    assert.equal(signalled, 1);
    assert.equal((await store.write(acquireLeadership, "sweep", "b", now, 1_000)).mine, true);
    assert.equal(await store.write(holdsLeadership, "sweep", "b"), true);
  });

  test("a heartbeat extends the replica's leaderships, and no others", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(enterReplica, replica("a"), now);
    await store.write(acquireLeadership, "sweep", "a", now, 1_000);
    await store.write(acquireLeadership, "expire", "b", now, 1_000);
    assert.deepEqual(
      await store.write(heartbeat, replica("a"), now + 900, { leaseMs: 1_000, goneMs: 8_000 }),
      ["sweep"],
    );
    const take = async (name: string) => {
      return (await store.write(acquireLeadership, name, "c", now + 1_500, 1_000)).mine;
    };
    assert.deepEqual([await take("sweep"), await take("expire")], [false, true]);
    assert.deepEqual(
      await store.write(heartbeat, replica("b"), now + 1_500, { leaseMs: 1_000, goneMs: 8_000 }),
      [],
    );
  });

  test("a replica whose machine another one took while it was silent does not take it back", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const timing = { leaseMs: 1_000, goneMs: 8_000 };
    const send = (id: string, at: number) => store.write(heartbeat, replica(id, "m1"), at, timing);
    await store.write(enterReplica, replica("a", "m1"), now);
    await store.write(enterReplica, replica("b", "m1"), now + 20_000);
    assert.equal(await send("a", now + 21_000), null);
    assert.deepEqual(await send("b", now + 22_000), []);
    assert.deepEqual(await send("a", now + 30_000), []); // the other one is gone
    await store.write(leaveReplica, "a", now + 30_000);
    assert.deepEqual(await send("b", now + 30_001), []);
  });

  test("a restart on a machine frees the leaderships of its last replica", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(enterReplica, replica("a", "m1"), now);
    await store.write(acquireLeadership, "sweep", "a", now, 60_000);
    await store.write(enterReplica, replica("b", "m1"), now);
    assert.equal((await store.write(acquireLeadership, "sweep", "c", now, 1_000)).mine, true);
    assert.deepEqual(
      (await store.read(liveMachines, now - 1)).map(({ address }) => address),
      ["http://b:8700"],
    );
  });
}

function machineConformance(open: OpenStore): void {
  test("a machine is live while its replica sends heartbeats and has not stopped", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const live = async (since: number) => {
      return (await store.read(liveMachines, since)).map(({ machine }) => machine);
    };
    for (const id of ["a", "b"]) await store.write(enterReplica, replica(id), now);
    await store.write(heartbeat, replica("b"), now + 5_000, { leaseMs: 1_000, goneMs: 8_000 });
    assert.deepEqual(await live(now - 1), ["a", "b"]);
    assert.deepEqual(await live(now), ["b"]);
    await store.write(leaveReplica, "b", now + 5_000);
    assert.deepEqual(await live(now - 1), ["a"]);
    await store.write(enterReplica, replica("b"), now + 5_000);
    assert.deepEqual(await live(now), ["b"]);
    await store.write(forgetReplicas, now + 1);
    assert.deepEqual(await live(now - 1), ["b"]);
    await store.write(heartbeat, replica("a"), now + 6_000, { leaseMs: 1_000, goneMs: 8_000 });
    assert.deepEqual(await live(now), ["a", "b"]);
  });

  test("a machine shows its drivers and how many workers are on it", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(enterReplica, replica("a", "m"), now);
    const [machine] = await store.read(liveMachines, now - 1);
    assert.deepEqual(machine, {
      machine: "m",
      drivers: ["simulated", "process"],
      address: "http://a:8700",
      workers: 1,
    });
  });

  test("a lost machine's workers end, unless it had a heartbeat after all", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    assert.deepEqual(await store.read(machinesInUse), [{ machine: "m", seenAt: null }]);
    await store.write(enterReplica, replica("a", "m"), now);
    assert.deepEqual(await store.read(machinesInUse), [{ machine: "m", seenAt: now }]);
    assert.equal(await store.write(loseMachine, "m", "all", now - 1, now + 9), 0);
    assert.equal(await store.write(loseMachine, "m", "all", now, now + 9), 1);
    assert.deepEqual(await store.read(machinesInUse), []);
    const ended = "select observed || ' ' || desired || ' ' || desired_reason from worker";
    assert.equal(await fixture.value(ended), "ended run the machine it ran on was lost");
    assert.equal(await store.write(loseMachine, "m", "all", now, now + 9), 0);
  });

  test("a silent machine keeps its started workers, and loses the others", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    await fixture.worker("later");
    await store.write(markStarted, "w", now);
    assert.equal(await store.write(loseMachine, "m", "not_started", now, now + 9), 1);
    const observed = "select observed from worker where id = ?";
    assert.equal(await fixture.value(observed, "w"), "running");
    assert.equal(await fixture.value(observed, "later"), "ended");
  });
}

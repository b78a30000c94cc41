// Machines at addresses of their own, and what an operator wants of a machine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../domain/machine/bare.testing.ts";
import { attendDuty, type RemoteMachine } from "../../domain/machine/remote.ts";
import { takeDuty } from "../replica/duty.ts";
import { knownMachines } from "../replica/inventory.ts";
import {
  changeRemote,
  deleteRemote,
  findRemote,
  forgetHostKey,
  insertRemote,
  keepWayBackPort,
  noteTrouble,
  remoteMachines,
  settleHostKey,
} from "../replica/remote-machine.ts";
import { beat, beatAttended, enterReplica, leaveReplica, markLost } from "../replica/replica.ts";
import { drainWorkers, keepUpkeep, lockUpkeep } from "../replica/upkeep.ts";
import { topic } from "../wakes.ts";
import { type OpenStore, Stage } from "./stage.ts";

const remote = (id: string, address = `ssh://me@${id}`): RemoteMachine => {
  const offer = { declared: {}, virtualGpus: {}, gpus: { "NVIDIA A40": 1 }, publicIp: null };
  const unseen = { hostKey: null, wayBackPort: null, trouble: null };
  return { id, name: id, address, secrets: `sealed ${id}`, offer, addedAt: 1, ...unseen };
};

const seat = (id: string, machine = "m") => {
  return { id, machine, drivers: ["docker"], address: `http://${id}`, inventory: bareInventory };
};

export function machineLaws(open: OpenStore): void {
  remoteLaws(open);
  attendedLaws(open);
  upkeepLaws(open);
}

function remoteLaws(open: OpenStore): void {
  test("an address is one machine's, also for two who add it at once", async (t) => {
    const { store } = await Stage.set(open, t);
    const twice = ["a", "b"].map((id) => store.write(insertRemote, remote(id, "ssh://me@host")));
    assert.deepEqual((await Promise.all(twice)).sort(), [false, true]);
    const [kept, ...more] = await store.read(remoteMachines);
    assert.deepEqual([kept, more], [remote(kept!.id, "ssh://me@host"), []]);
  });

  test("a machine that is changed is another one to whoever attends it", async (t) => {
    const { store } = await Stage.set(open, t);
    await store.write(insertRemote, remote("a"));
    await store.write(noteTrouble, "a", "away");
    await store.write(keepWayBackPort, "a", 8_700);
    let rung = 0;
    store.wakes.on(topic.duties, () => rung++);
    const { offer } = { offer: { ...remote("a").offer, publicIp: "203.0.113.9" } };
    await store.write(changeRemote, { id: "a", name: "new", secrets: "sealed anew", offer });
    assert.deepEqual(await store.read(findRemote, "a"), {
      ...{ ...remote("a"), name: "new", secrets: "sealed anew", offer, wayBackPort: 8_700 },
    });
    assert.equal(rung, 1);
  });

  test("the first host key is kept until it is forgotten", async (t) => {
    const { store } = await Stage.set(open, t);
    await store.write(insertRemote, remote("a"));
    assert.equal(await store.write(settleHostKey, "a", "first"), "first");
    assert.equal(await store.write(settleHostKey, "a", "second"), "first");
    await store.write(noteTrouble, "a", "another host key");
    await store.write(forgetHostKey, "a");
    assert.deepEqual(await store.read(findRemote, "a"), remote("a"));
    assert.equal(await store.write(settleHostKey, "a", "second"), "second");
  });
}

function attendedLaws(open: OpenStore): void {
  test("only who has the duty says that a machine is there", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await store.write(insertRemote, remote("m"));
    const duty = attendDuty("m");
    await store.write(takeDuty, duty, "a", now, 1_000);
    assert.equal(await store.write(beatAttended, seat("seat-b"), duty, "b", now), false);
    assert.deepEqual(await store.read(knownMachines), []);
    assert.equal(await store.write(beatAttended, seat("seat-a"), duty, "a", now), true);
    await store.write(takeDuty, duty, "b", now + 1_000, 1_000);
    assert.equal(await store.write(beatAttended, seat("seat-a"), duty, "a", now + 1_000), false);
    const richer = { ...seat("seat-b"), inventory: { ...bareInventory, vcpus: 9 } };
    assert.equal(await store.write(beatAttended, richer, duty, "b", now + 1_000), true);
    // What the first one says as he goes is about his own seat.
    await store.write(leaveReplica, "seat-a", now + 1_001);
    const [{ seenAt, stopped, inventory } = {}, ...more] = await store.read(knownMachines);
    assert.deepEqual([seenAt, stopped, inventory?.vcpus, more.length], [now + 1_000, false, 9, 0]);
    await store.write(deleteRemote, "m");
    assert.deepEqual(await store.read(knownMachines), []);
    // Whoever attends it has not heard of that yet.
    assert.equal(await store.write(beatAttended, richer, duty, "b", now + 1_002), false);
    assert.deepEqual(await store.read(knownMachines), []);
    assert.equal(await store.read(findRemote, "m"), undefined);
  });

  test("a silent machine is lost from one instant on, until it is heard of", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await store.write(enterReplica, seat("a", "m"), now);
    await store.write(enterReplica, seat("b", "n"), now);
    await store.write(leaveReplica, "b", now);
    const lostAt = async () => {
      return (await store.read(knownMachines)).map((each) => [each.machine, each.lostAt]);
    };
    await store.write(markLost, now - 1, now + 5);
    assert.deepEqual(await lostAt(), [
      ["m", null],
      ["n", null],
    ]);
    await store.write(markLost, now, now + 6);
    await store.write(markLost, now, now + 7);
    assert.deepEqual(await lostAt(), [
      ["m", now + 6],
      ["n", null], // it said that it goes
    ]);
    await store.write(beat, seat("a", "m"), now + 8, 1_000);
    assert.deepEqual((await lostAt())[0], ["m", null]);
  });
}

function upkeepLaws(open: OpenStore): void {
  const untouched = {
    draining: false,
    maintenanceStart: null,
    maintenanceEnd: null,
    maintenanceNote: null,
  };

  test("workers drain where nothing new is placed, and nowhere else", async (t) => {
    const stage = await Stage.set(open, t);
    const { store, now } = stage;
    const desired = () => stage.value("select desired from worker where id = 'w'");
    await store.write(enterReplica, seat("a", "m"), now);
    assert.deepEqual(await store.write(lockUpkeep, "m"), untouched);
    assert.equal(await store.write(lockUpkeep, "nowhere"), undefined);
    assert.equal(await store.write(drainWorkers, now), 0);
    const span = { maintenanceStart: now + 10, maintenanceEnd: now + 20 };
    await store.write(keepUpkeep, "m", { ...untouched, ...span, maintenanceNote: "disks" });
    for (const at of [now + 9, now + 20]) assert.equal(await store.write(drainWorkers, at), 0);
    assert.equal(await desired(), "run");
    assert.equal(await store.write(drainWorkers, now + 10), 1);
    assert.equal(await desired(), "drain");
    assert.equal(await store.write(drainWorkers, now + 11), 0);
    await stage.worker("later");
    await store.write(keepUpkeep, "m", { ...untouched, draining: true });
    assert.equal(await store.write(drainWorkers, now), 1);
    await store.write(enterReplica, seat("b", "m"), now);
    assert.equal((await store.write(lockUpkeep, "m"))?.draining, true);
  });
}

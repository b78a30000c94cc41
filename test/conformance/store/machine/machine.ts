// Remote machines, and what an operator sets for a machine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { manageLeadership, type RemoteMachine } from "../../../../src/domain/machine/remote.ts";
import type { Upkeep } from "../../../../src/domain/machine/upkeep.ts";
import { topic } from "../../../../src/store/engine/notifier.ts";
import { acquireLeadership } from "../../../../src/store/leadership/leadership.ts";
import {
  changeRemote,
  findRemote,
  forgetHostKey,
  insertRemote,
  pinHostKey,
  remoteMachines,
  setCallbackPort,
  setTrouble,
} from "../../../../src/store/remote-machine/remote-machine.ts";
import { knownMachines } from "../../../../src/store/replica/inventory.ts";
import { forgetReplicas } from "../../../../src/store/replica/replica.ts";
import { lockUpkeep, setUpkeep } from "../../../../src/store/replica/upkeep.ts";
import {
  saveMachineChanges,
  type UpkeepChanges,
} from "../../../../src/transactions/machine/change.ts";
import { drainWorkers } from "../../../../src/transactions/machine/drain.ts";
import { markLost } from "../../../../src/transactions/machine/lose.ts";
import { removeRemote } from "../../../../src/transactions/machine/remove.ts";
import {
  enterReplica,
  heartbeat,
  heartbeatManaged,
  heartbeatUnchanged,
  leaveReplica,
} from "../../../../src/transactions/replica/membership.ts";
import { bareInventory } from "../../../fixtures/bare-machine.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const remote = (id: string, address = `ssh://me@${id}`): RemoteMachine => {
  const offer = { declared: {}, simulatedGpus: {}, gpus: { "NVIDIA A40": 1 }, publicIp: null };
  const unset = { hostKey: null, wayBackPort: null, trouble: null };
  return { id, name: id, address, secrets: `sealed ${id}`, offer, addedAt: 1, ...unset };
};

const replicaOf = (id: string, machine = "m") => {
  return { id, machine, drivers: ["docker"], address: `http://${id}`, inventory: bareInventory };
};

export function machineConformance(open: OpenStore): void {
  remoteConformance(open);
  hostKeyConformance(open);
  managedConformance(open);
  manyConformance(open);
  upkeepConformance(open);
}

function remoteConformance(open: OpenStore): void {
  test("an address belongs to one machine, even if two are added at once", async (t) => {
    const { store } = await Fixture.set(open, t);
    const twice = ["a", "b"].map((id) => store.write(insertRemote, remote(id, "ssh://me@host")));
    assert.deepEqual((await Promise.all(twice)).sort(), [false, true]);
    const [machine, ...more] = await store.read(remoteMachines);
    assert.deepEqual([machine, more], [remote(machine!.id, "ssh://me@host"), []]);
  });

  test("the simulated GPUs of a machine of an earlier version are read by their earlier name", async (t) => {
    const { store } = await Fixture.set(open, t);
    const { simulatedGpus: _, ...offer } = remote("a").offer;
    const earlier = { ...offer, virtualGpus: { "NVIDIA L4": 2 } };
    await store.write(insertRemote, { ...remote("a"), offer: earlier as never });
    const machine = await store.read(findRemote, "a");
    assert.deepEqual(machine!.offer, { ...offer, simulatedGpus: { "NVIDIA L4": 2 } });
  });

  test("changing a machine makes its replica reconnect", async (t) => {
    const { store } = await Fixture.set(open, t);
    await store.write(insertRemote, remote("a"));
    await store.write(setTrouble, "a", "away");
    await store.write(setCallbackPort, "a", 8_700);
    let signalled = 0;
    store.notifier.on(topic.leaderships, () => signalled++);
    const { offer } = { offer: { ...remote("a").offer, publicIp: "203.0.113.9" } };
    await store.write(changeRemote, { id: "a", name: "new", secrets: "sealed anew", offer });
    assert.deepEqual(await store.read(findRemote, "a"), {
      ...remote("a"),
      name: "new",
      secrets: "sealed anew",
      offer,
      wayBackPort: 8_700,
    });
    assert.equal(signalled, 1);
  });

  test("the first host key is pinned until it is forgotten", async (t) => {
    const { store } = await Fixture.set(open, t);
    await store.write(insertRemote, remote("a"));
    assert.equal(await store.write(pinHostKey, "a", "first"), "first");
    assert.equal(await store.write(pinHostKey, "a", "second"), "first");
    await store.write(setTrouble, "a", "another host key");
    await store.write(forgetHostKey, "a");
    assert.deepEqual(await store.read(findRemote, "a"), remote("a"));
    assert.equal(await store.write(pinHostKey, "a", "second"), "second");
  });
}

function hostKeyConformance(open: OpenStore): void {
  test("a host key is forgotten only with the rest of a change, and where there is one", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const save = (machine: string, changes: UpkeepChanges) =>
      store.write(saveMachineChanges, "account", machine, changes, now);
    await store.write(insertRemote, remote("m"));
    await store.write(insertRemote, remote("tls", "tcp://there:2376"));
    await store.write(enterReplica, replicaOf("seat", "m"), now);
    await store.write(enterReplica, replicaOf("own", "own"), now);
    await store.write(pinHostKey, "m", "first");
    const keyOf = async () => (await store.read(findRemote, "m"))?.hostKey;
    const refused = await save("m", { newHostKey: true, cordons: { "GPU-none": "" } });
    assert.match(refused?.message ?? "", /names the GPU GPU-none/);
    assert.equal(await keyOf(), "first");
    for (const machine of ["tls", "own"]) {
      const keyless = await save(machine, { newHostKey: true, draining: true });
      assert.match(keyless?.message ?? "", /"hostKey" is of a machine that is reached over SSH/);
    }
    assert.equal((await store.write(lockUpkeep, "own"))?.draining, false);
    assert.equal((await save("none", { newHostKey: true }))?.code, "machine_not_found");
    assert.equal(await save("m", { newHostKey: true, draining: true }), null);
    assert.deepEqual([await keyOf(), (await store.write(lockUpkeep, "m"))?.draining], [null, true]);
  });
}

function managedConformance(open: OpenStore): void {
  test("only the holder of the leadership sends a machine's heartbeat", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(insertRemote, remote("m"));
    const leadership = manageLeadership("m");
    await store.write(acquireLeadership, leadership, "a", now, 1_000);
    assert.equal(await store.write(heartbeatManaged, replicaOf("seat-b"), "m", "b", now), false);
    assert.deepEqual(await store.read(knownMachines), []);
    await store.write(setTrouble, "m", "away");
    assert.equal(await store.write(heartbeatManaged, replicaOf("seat-a"), "m", "a", now), true);
    // The commit that brings it online clears its trouble.
    assert.equal((await store.read(findRemote, "m"))?.trouble, null);
    await store.write(acquireLeadership, leadership, "b", now + 1_000, 1_000);
    assert.equal(
      await store.write(heartbeatManaged, replicaOf("seat-a"), "m", "a", now + 1_000),
      false,
    );
    const richer = { ...replicaOf("seat-b"), inventory: { ...bareInventory, vcpus: 9 } };
    assert.equal(await store.write(heartbeatManaged, richer, "m", "b", now + 1_000), true);
    // The first replica leaves with its own row, which is not the machine's any more.
    await store.write(leaveReplica, "seat-a", now + 1_001);
    const [{ seenAt, stopped, inventory } = {}, ...more] = await store.read(knownMachines);
    assert.deepEqual([seenAt, stopped, inventory?.vcpus, more.length], [now + 1_000, false, 9, 0]);
    await store.write(removeRemote, "m", ["m"]);
    assert.deepEqual(await store.read(knownMachines), []);
    // The replica that manages it does not know of the removal yet.
    assert.equal(await store.write(heartbeatManaged, richer, "m", "b", now + 1_002), false);
    assert.deepEqual(await store.read(knownMachines), []);
    assert.equal(await store.read(findRemote, "m"), undefined);
  });

  test("a silent machine is lost until its next heartbeat", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(enterReplica, replicaOf("a", "m"), now);
    await store.write(enterReplica, replicaOf("b", "n"), now);
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
      ["n", null], // it stopped
    ]);
    await store.write(heartbeat, replicaOf("a", "m"), now + 8, { leaseMs: 1_000, goneMs: 8_000 });
    assert.deepEqual((await lostAt())[0], ["m", null]);
  });
}

function manyConformance(open: OpenStore): void {
  test("many machines of a remote send one heartbeat", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(insertRemote, remote("m"));
    await store.write(acquireLeadership, manageLeadership("m"), "a", now, 10_000);
    const ids = Array.from({ length: 600 }, (_, n) => `seat-${n}`);
    for (const id of ids) await store.write(enterReplica, replicaOf(id, `of ${id}`), now);
    await store.write(setTrouble, "m", "away");
    const all = [...ids, "unknown"];
    const known = await store.write(heartbeatUnchanged, all, "m", "a", now + 5);
    assert.deepEqual([...known].sort(), [...ids].sort());
    assert.ok((await store.read(knownMachines)).every(({ seenAt }) => seenAt === now + 5));
    assert.equal((await store.read(findRemote, "m"))?.trouble, null);
    // One that was lost is entered again by a heartbeat of its own.
    await store.write(enterReplica, replicaOf("seat-0", "of seat-0"), now + 6);
    await store.write(markLost, now + 5, now + 7);
    assert.deepEqual(await store.write(heartbeatUnchanged, ids, "m", "a", now + 8), ["seat-0"]);
    assert.deepEqual(await store.write(heartbeatUnchanged, ids, "m", "b", now + 9), []);
  });
}

function upkeepConformance(open: OpenStore): void {
  const noUpkeep: Upkeep = {
    draining: false,
    maintenanceStart: null,
    maintenanceEnd: null,
    maintenanceNote: null,
    gpuCordons: {},
    sharedGpus: {},
  };

  test("a silent machine is forgotten, unless the operator set something for it", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const upkeeps: Record<string, Partial<Upkeep>> = {
      plain: {},
      draining: { draining: true },
      cordoned: { gpuCordons: { "GPU-1": "fan noise" } },
      shared: { sharedGpus: { "GPU-1": { count: 4, memoryInGb: 20 } } },
      "in maintenance": { maintenanceStart: now - 2 },
      "maintenance later": { maintenanceStart: now + 5, maintenanceEnd: now + 9 },
      "maintenance over": { maintenanceStart: now - 9, maintenanceEnd: now - 1 },
    };
    for (const [machine, upkeep] of Object.entries(upkeeps)) {
      await store.write(enterReplica, replicaOf(`replica of ${machine}`, machine), now);
      await store.write(setUpkeep, machine, { ...noUpkeep, ...upkeep });
    }
    await store.write(forgetReplicas, now + 1);
    const remaining: Record<string, Upkeep> = {};
    for (const { machine, upkeep } of await store.read(knownMachines)) remaining[machine] = upkeep;
    const { plain: _plain, "maintenance over": _over, ...lasting } = upkeeps;
    assert.deepEqual(Object.keys(remaining).sort(), Object.keys(lasting).sort());
    for (const [machine, upkeep] of Object.entries(lasting)) {
      assert.deepEqual(remaining[machine], { ...noUpkeep, ...upkeep });
      await store.write(setUpkeep, machine, noUpkeep);
    }
    await store.write(forgetReplicas, now + 1);
    assert.deepEqual(await store.read(knownMachines), []);
  });

  test("workers drain on machines that take nothing new, and on no others", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    const desired = () => fixture.value("select desired from worker where id = 'w'");
    await store.write(enterReplica, replicaOf("a", "m"), now);
    assert.deepEqual(await store.write(lockUpkeep, "m"), noUpkeep);
    assert.equal(await store.write(lockUpkeep, "nowhere"), undefined);
    assert.equal(await store.write(drainWorkers, now), 0);
    const span = { maintenanceStart: now + 10, maintenanceEnd: now + 20 };
    await store.write(setUpkeep, "m", { ...noUpkeep, ...span, maintenanceNote: "disks" });
    for (const at of [now + 9, now + 20]) assert.equal(await store.write(drainWorkers, at), 0);
    assert.equal(await desired(), "run");
    assert.equal(await store.write(drainWorkers, now + 10), 1);
    assert.equal(await desired(), "drain");
    assert.equal(await store.write(drainWorkers, now + 11), 0);
    await fixture.worker("later");
    await store.write(setUpkeep, "m", { ...noUpkeep, draining: true });
    assert.equal(await store.write(drainWorkers, now), 1);
    const gpuCordons = { "GPU-a": "fan noise" };
    await store.write(setUpkeep, "m", { ...noUpkeep, draining: true, gpuCordons });
    await store.write(enterReplica, replicaOf("b", "m"), now);
    assert.deepEqual(await store.write(lockUpkeep, "m"), {
      ...noUpkeep,
      draining: true,
      gpuCordons,
    });
  });
}

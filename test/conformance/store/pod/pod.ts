// Pods: their places, their moves and what is observed of their containers.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Inventory } from "../../../../src/domain/machine/inventory.ts";
import type { Placed } from "../../../../src/domain/placement/decide.ts";
import type { PlacementRequest } from "../../../../src/domain/placement/request.ts";
import type { PodEvent } from "../../../../src/domain/pod/moves.ts";
import { noBackoff, notObserved, type Pod } from "../../../../src/domain/pod/pod.ts";
import { defaultSpec, type PodSpec } from "../../../../src/domain/pod/spec.ts";
import type { ColumnChanges } from "../../../../src/store/engine/row/columns.ts";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { duePods, findPod, lockPod, podsOf } from "../../../../src/store/pod/row.ts";
import { evictFrom, takePlace } from "../../../../src/transactions/place/take.ts";
import { replacePod } from "../../../../src/transactions/pod/change.ts";
import { forgetPod } from "../../../../src/transactions/pod/forget.ts";
import { insertPod } from "../../../../src/transactions/pod/insert.ts";
import { type MoveResult, movePod } from "../../../../src/transactions/pod/move.ts";
import {
  markPodEnded,
  markRunning,
  markStarting,
} from "../../../../src/transactions/pod/observe.ts";
import { enterReplica } from "../../../../src/transactions/replica/membership.ts";
import { bareInventory } from "../../../fixtures/bare-machine.ts";
import { anyRequest, gpuRequest } from "../../../fixtures/placement-request.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const GPUS = 4;
const inventory: Inventory = {
  ...bareInventory,
  vcpus: 64,
  memoryMb: 65_536,
  diskGb: 1_000,
  gpus: [
    {
      gpuTypeId: "G",
      memoryMb: 1,
      virtual: false,
      indices: Array.from({ length: GPUS }, (_, n) => n),
    },
  ],
};

const conformanceRequest: PlacementRequest = {
  ...anyRequest,
  compute: { ...gpuRequest(), vcpus: 1, memoryMb: 1 },
  driver: "simulated",
  diskGb: 1,
};

const runningSince = (startedAt: number) => {
  return { startedAt, dataCenterId: null, publicIp: "127.0.0.1" };
};

export async function gpuMachine(store: Store, machine: string, now: number): Promise<void> {
  await store.write(enterReplica, machineWith(machine, ["simulated"]), now);
}

export const machineWith = (machine: string, drivers: string[]) => {
  return { id: machine, machine, drivers, address: "", inventory };
};

const asker = { accountId: "a", memberId: null };

/** Takes a place and creates a Pod there in one transaction; null if there is none. */
export function* rentPod(
  id: string,
  now: number,
  changes: ColumnChanges<Pod> = {},
  spot = false,
): Tx<Pod | null> {
  const request = { ...conformanceRequest, spot };
  const search = { since: now - 1, machine: null, except: null, asker };
  const placement = yield* takePlace(request, search, now);
  if (!("placed" in placement)) return null;
  yield* evictFrom(placement.placed, now);
  const pod = podAt(placement.placed, { id, now, spot });
  const changed: Pod = {
    ...pod,
    keyId: changes.keyId ?? pod.keyId,
    accountId: changes.accountId ?? pod.accountId,
    desired: { ...pod.desired, ...changes.desired },
    placement: { ...pod.placement, ...changes.placement },
    pricing: { ...pod.pricing, ...changes.pricing },
  };
  yield* insertPod(changed);
  return changed;
}

function podAt(placed: Placed, { id, now, spot }: { id: string; now: number; spot: boolean }): Pod {
  const { machine, gpuTypeId, gpuIndices: gpus, virtual } = placed;
  const disks = { containerDiskInGb: 1, volumeInGb: 1 };
  const spec: PodSpec = { ...defaultSpec, imageName: "i", interruptible: spot, ...disks };
  const size = { cpuFlavorId: null, vcpus: 1, memoryMb: 1 };
  return {
    id,
    accountId: "account",
    keyId: "",
    ownerId: null,
    name: id,
    labels: {},
    createdAt: now,
    desired: {
      spec,
      state: "RUNNING",
      cause: "created",
      reason: null,
      changedAt: now,
      generation: 1,
      locked: false,
      stopAfter: null,
      terminateAfter: null,
      stopWhenIdle: null,
      maxLifetime: null,
      runningSince: now,
      keptUntil: null,
    },
    placement: { machine, driver: "simulated", gpuTypeId, gpus, virtual, ...size },
    cluster: null,
    pricing: { cost: 1, runningRate: 1, stoppedRate: 1, coveredGpus: 0 },
    observed: notObserved,
    backoff: noBackoff,
    idleSince: null,
    projectIdle: null,
    exemption: null,
    sharedLifetimes: { project: null, account: null },
    lifetimeWarning: null,
  };
}

export function* moveOf(id: string, event: PodEvent, at: number): Tx<MoveResult | "missing"> {
  const pod = yield* lockPod(id);
  return pod ? yield* movePod(pod, { event, cause: "stopped", reason: null, at }) : "missing";
}

function* beginStart(id: string, generation: number): Tx<boolean> {
  return yield* markStarting((yield* lockPod(id))!, generation, 0);
}

function* startAgain(id: string, now: number): Tx<boolean> {
  const pod = yield* lockPod(id);
  if (pod?.desired.state !== "EXITED") return false;
  const search = { since: now - 1, machine: pod.placement.machine, except: id, asker };
  const placement = yield* takePlace(conformanceRequest, search, now);
  if (!("placed" in placement)) return false;
  const { desired, pricing } = pod;
  const { vcpus, memoryMb } = pod.placement;
  const { placed } = placement;
  yield* evictFrom(placed, now);
  yield* replacePod(pod, { placed, spec: desired.spec, vcpus, memoryMb, prices: pricing });
  yield* movePod(pod, { event: "start", cause: "started", reason: null, at: now });
  return true;
}

export function podConformance(open: OpenStore): void {
  test("concurrent rentals get GPUs of their own, and no more than there are", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    const rentals = Array.from({ length: 20 }, (_, n) => store.write(rentPod, `p${n}`, now));
    const pods = (await Promise.all(rentals)).filter((pod) => pod !== null);
    assert.deepEqual(pods.flatMap(({ placement }) => placement.gpus).sort(), [0, 1, 2, 3]);
    assert.equal((await store.read(podsOf, "account")).length, GPUS);
  });

  test("a stopped Pod's GPUs can be rented, and a start without free GPUs changes nothing", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    for (let n = 0; n < GPUS; n++) await store.write(rentPod, `p${n}`, now);
    assert.equal(await store.write(rentPod, "late", now), null);
    assert.equal(await store.write(moveOf, "p2", "stop", now), "EXITED");
    assert.equal(await store.write(moveOf, "p2", "stop", now), "same");
    assert.deepEqual((await store.write(rentPod, "next", now))?.placement.gpus, [2]);
    assert.equal(await store.write(startAgain, "p2", now), false);
    assert.equal((await store.read(findPod, "p2"))?.desired.state, "EXITED");
    assert.equal(await store.write(moveOf, "p0", "delete", now), "TERMINATED");
    assert.equal(await store.write(startAgain, "p2", now), true);
    const again = await store.read(findPod, "p2");
    assert.deepEqual(
      [again?.placement.gpus, again?.desired.generation, again?.desired.state],
      [[0], 2, "RUNNING"],
    );
  });

  test("an observation of an old container does not change a new one", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now);
    assert.equal(await store.write(beginStart, "p", 1), true);
    const first = (await store.read(findPod, "p"))!;
    await store.write(moveOf, "p", "restart", now);
    assert.equal(await store.write(beginStart, "p", 1), false);
    assert.equal(await store.write(beginStart, "p", 2), true);
    const end = { at: now, exitCode: 1, signal: null, oom: false };
    assert.equal(await store.write(markPodEnded, first, end, { ends: [now], startAt: 0 }), false);
    const second = (await store.read(findPod, "p"))!;
    await store.write(markRunning, second, runningSince(now));
    assert.partialDeepStrictEqual(await store.read(findPod, "p"), {
      observed: { state: "running", publicIp: "127.0.0.1" },
    });
    assert.equal(await store.write(markPodEnded, second, end, { ends: [now], startAt: 7 }), true);
    assert.equal(await store.write(markPodEnded, second, end, { ends: [now], startAt: 7 }), false);
    const ended = await store.read(findPod, "p");
    assert.deepEqual(
      [ended?.observed.state, ended?.backoff.ends, ended?.backoff.startAt],
      ["ended", [now], 7],
    );
  });

  spotConformance(open);
  deadlineConformance(open);
}

function spotConformance(open: OpenStore): void {
  test("spot Pods are evicted if nothing is free, the newest first, but never for a spot Pod", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    for (let n = 0; n < GPUS; n++) {
      const desired = { changedAt: now + n, locked: true };
      await store.write(rentPod, `s${n}`, now, { desired }, true);
    }
    assert.equal(await store.write(rentPod, "spot-late", now, {}, true), null);
    assert.deepEqual((await store.write(rentPod, "regular", now))?.placement.gpus, [GPUS - 1]);
    const evicted = await store.read(findPod, `s${GPUS - 1}`);
    assert.deepEqual([evicted?.desired.state, evicted?.desired.cause], ["EXITED", "evicted"]);
    assert.match(evicted?.desired.reason ?? "", /on-demand workload took its place/);
    const more = Array.from({ length: 6 }, (_, n) => store.write(rentPod, `r${n}`, now));
    const regularPods = (await Promise.all(more)).filter((pod) => pod !== null);
    assert.equal(regularPods.length, GPUS - 1);
    assert.deepEqual(regularPods.flatMap(({ placement }) => placement.gpus).sort(), [0, 1, 2]);
    const pods = await store.read(podsOf, "account");
    assert.ok(
      pods.every(({ id, desired }) => id.startsWith("r") === (desired.state === "RUNNING")),
    );
  });
}

function deadlineConformance(open: OpenStore): void {
  test("deadlines are found once they have passed; only terminated Pods are forgotten", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "stopping", now, { desired: { stopAfter: now + 10 } });
    await store.write(rentPod, "ending", now, { desired: { terminateAfter: now + 20 } });
    const due = async (at: number) => {
      const { due: pods, nextAt } = await store.read(duePods, at);
      return [pods.map(({ id }) => id).sort(), nextAt];
    };
    assert.deepEqual(await due(now), [[], now + 10]);
    assert.deepEqual(await due(now + 10), [["stopping"], now + 20]);
    await store.write(moveOf, "stopping", "stop", now);
    assert.deepEqual(await due(now + 20), [["ending"], null]);
    await store.write(forgetPod, "ending");
    assert.ok(await store.read(findPod, "ending"));
    await store.write(moveOf, "ending", "delete", now);
    await store.write(forgetPod, "ending");
    assert.equal(await store.read(findPod, "ending"), undefined);
  });
}

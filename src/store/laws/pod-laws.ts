// Pods: their places, their moves, and what is seen of their containers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../domain/machine/bare.testing.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { anyWish, gpuWish } from "../../domain/placement/wish.testing.ts";
import type { PlacementWish } from "../../domain/placement/wish.ts";
import type { PodEvent } from "../../domain/pod/moves.ts";
import type { Pod, PodSpec } from "../../domain/pod/pod.ts";
import { takePlace } from "../place/take.ts";
import { duePods, findPod, lockPod, podsOf } from "../pod/row.ts";
import { forgetPod, markPodEnded, markRunning, markStarting } from "../pod/seen.ts";
import { insertPod, keepPlace, type Moved, movePod } from "../pod/wanted.ts";
import { enterReplica } from "../replica/replica.ts";
import type { Verb } from "../statement.ts";
import type { Store } from "../store.ts";
import { type OpenStore, Stage } from "./stage.ts";

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

export const lawWish: PlacementWish = {
  ...anyWish,
  compute: { ...gpuWish(), vcpus: 1, memoryMb: 1 },
  driver: "fake",
  diskGb: 1,
};

const runningSince = (startedAt: number) => {
  return { startedAt, dataCenterId: null, publicIp: "127.0.0.1" };
};

export async function gpuMachine(store: Store, machine: string, now: number): Promise<void> {
  const replica = { id: machine, machine, drivers: ["fake"], address: "", inventory };
  await store.write(enterReplica, replica, now);
}

/** Takes a place and makes a Pod there, in one turn; null where there is none. */
export function* rentPod(
  id: string,
  now: number,
  more: Partial<Pod> = {},
  spot = false,
): Verb<Pod | null> {
  const wish = { ...lawWish, spot };
  const found = yield* takePlace(wish, { since: now - 1, machine: null, except: null }, now);
  if (!("placed" in found)) return null;
  const { machine, gpuTypeId, gpuIndices: gpus, virtual } = found.placed;
  const sizes = { containerDiskInGb: 1, volumeInGb: 1 };
  const spec = { imageName: "i", templateId: null, interruptible: spot, ...sizes } as PodSpec;
  const nothing = {
    reason: null,
    cpuFlavorId: null,
    publicIp: null,
    trouble: null,
    troubleCause: null,
  };
  const never = { startedAt: null, endedAt: null, exitCode: null, signal: null };
  const unset = { failingSince: null, stopAfter: null, terminateAfter: null };
  const pod: Pod = {
    ...nothing,
    ...never,
    ...unset,
    id,
    accountId: "account",
    keyId: "",
    name: id,
    spec,
    state: "RUNNING",
    cause: "created",
    changedAt: now,
    locked: false,
    machine,
    driver: "fake",
    gpuTypeId,
    gpus,
    coveredGpus: 0,
    virtual,
    vcpus: 1,
    memoryMb: 1,
    cost: 1,
    runningRate: 1,
    stoppedRate: 1,
    round: 1,
    startedRound: 0,
    startedGpus: [],
    observed: "none",
    startAt: 0,
    createdAt: now,
    oom: false,
    ends: [],
    failedStarts: 0,
    portMappings: {},
    ...more,
  };
  yield* insertPod(pod);
  return pod;
}

export function* moveOf(id: string, event: PodEvent, at: number): Verb<Moved | "gone"> {
  const pod = yield* lockPod(id);
  return pod ? yield* movePod(pod, { event, cause: "stopped", reason: null, at }) : "gone";
}

function* beginStart(id: string, round: number): Verb<boolean> {
  return yield* markStarting((yield* lockPod(id))!, round, 0);
}

function* startAgain(id: string, now: number): Verb<boolean> {
  const pod = yield* lockPod(id);
  if (pod?.state !== "EXITED") return false;
  const search = { since: now - 1, machine: pod.machine, except: id };
  const found = yield* takePlace(lawWish, search, now);
  if (!("placed" in found)) return false;
  yield* keepPlace(id, found.placed, pod);
  yield* movePod(pod, { event: "start", cause: "started", reason: null, at: now });
  return true;
}

export function podLaws(open: OpenStore): void {
  test("of many who rent at the same time each gets GPUs of its own, and no more than there are", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    const asked = Array.from({ length: 20 }, (_, n) => store.write(rentPod, `p${n}`, now));
    const rented = (await Promise.all(asked)).filter((pod) => pod !== null);
    assert.deepEqual(rented.flatMap(({ gpus }) => gpus).sort(), [0, 1, 2, 3]);
    assert.equal((await store.read(podsOf, "account")).length, GPUS);
  });

  test("what a Pod lets go of is somebody else's, and a start that finds nothing changes nothing", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    for (let n = 0; n < GPUS; n++) await store.write(rentPod, `p${n}`, now);
    assert.equal(await store.write(rentPod, "late", now), null);
    assert.equal(await store.write(moveOf, "p2", "stop", now), "EXITED");
    assert.equal(await store.write(moveOf, "p2", "stop", now), "same");
    assert.deepEqual((await store.write(rentPod, "next", now))?.gpus, [2]);
    assert.equal(await store.write(startAgain, "p2", now), false);
    assert.equal((await store.read(findPod, "p2"))?.state, "EXITED");
    assert.equal(await store.write(moveOf, "p0", "delete", now), "TERMINATED");
    assert.equal(await store.write(startAgain, "p2", now), true);
    const again = await store.read(findPod, "p2");
    assert.deepEqual([again?.gpus, again?.round, again?.state], [[0], 2, "RUNNING"]);
  });

  test("what was seen of an old container says nothing about a new one", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now);
    assert.equal(await store.write(beginStart, "p", 1), true);
    const first = (await store.read(findPod, "p"))!;
    await store.write(moveOf, "p", "restart", now);
    assert.equal(await store.write(beginStart, "p", 1), false);
    assert.equal(await store.write(beginStart, "p", 2), true);
    const end = { at: now, exitCode: 1, signal: null, oom: false };
    assert.equal(await store.write(markPodEnded, first, end, [now], 0), false);
    const second = (await store.read(findPod, "p"))!;
    await store.write(markRunning, second, runningSince(now));
    assert.partialDeepStrictEqual(await store.read(findPod, "p"), {
      observed: "running",
      publicIp: "127.0.0.1",
    });
    assert.equal(await store.write(markPodEnded, second, end, [now], 7), true);
    assert.equal(await store.write(markPodEnded, second, end, [now], 7), false);
    const ended = await store.read(findPod, "p");
    assert.deepEqual([ended?.observed, ended?.ends, ended?.startAt], ["ended", [now], 7]);
  });

  spotLaws(open);
  deadlineLaws(open);
}

function spotLaws(open: OpenStore): void {
  test("spot Pods give way where nothing is free, the newest first, and to nobody of their kind", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    for (let n = 0; n < GPUS; n++) {
      const more = { changedAt: now + n, locked: true };
      await store.write(rentPod, `s${n}`, now, more, true);
    }
    assert.equal(await store.write(rentPod, "poor", now, {}, true), null);
    assert.deepEqual((await store.write(rentPod, "rich", now))?.gpus, [GPUS - 1]);
    const left = await store.read(findPod, `s${GPUS - 1}`);
    assert.deepEqual([left?.state, left?.cause], ["EXITED", "evicted"]);
    assert.match(left?.reason ?? "", /on demand took its place/);
    const rich = Array.from({ length: 6 }, (_, n) => store.write(rentPod, `r${n}`, now));
    const rented = (await Promise.all(rich)).filter((pod) => pod !== null);
    assert.equal(rented.length, GPUS - 1);
    assert.deepEqual(rented.flatMap(({ gpus }) => gpus).sort(), [0, 1, 2]);
    const pods = await store.read(podsOf, "account");
    assert.ok(pods.every(({ id, state }) => id.startsWith("r") === (state === "RUNNING")));
  });
}

function deadlineLaws(open: OpenStore): void {
  test("deadlines are found when they come; only what is terminated is forgotten", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "stopping", now, { stopAfter: now + 10 });
    await store.write(rentPod, "ending", now, { terminateAfter: now + 20 });
    const due = async (at: number) => {
      const look = await store.read(duePods, at);
      return [look.due.map(({ id }) => id).sort(), look.nextAt];
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

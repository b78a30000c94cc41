// A Pod's events: each move and each observation of its container is logged once, in its transaction, with the
// actor, as a line of the system log, and is forgotten with the Pod.

import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../../../../src/domain/account.ts";
import type { Actor } from "../../../../src/domain/audit/entry.ts";
import { containerEvent } from "../../../../src/domain/pod/pod-event.ts";
import { insertKey } from "../../../../src/store/api-key/api-key.ts";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { addSystemLogLine, systemLines } from "../../../../src/store/log/system-log.ts";
import { insertMember } from "../../../../src/store/member/member.ts";
import { podEvents } from "../../../../src/store/pod/events.ts";
import { findPod, lockPod } from "../../../../src/store/pod/row.ts";
import { knownMachines } from "../../../../src/store/replica/inventory.ts";
import { markLost } from "../../../../src/transactions/machine/lose.ts";
import { forgetPod } from "../../../../src/transactions/pod/forget.ts";
import { type Move, movePod } from "../../../../src/transactions/pod/move.ts";
import * as container from "../../../../src/transactions/pod/observe.ts";
import { heartbeat } from "../../../../src/transactions/replica/membership.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine, rentPod } from "./pod.ts";

const ALL = { before: Number.MAX_SAFE_INTEGER, limit: 100 };

/** Oldest first. */
async function eventsOf(store: Store, id = "p") {
  return (await store.read(podEvents, id, ALL)).reverse();
}

function* moveOf(id: string, move: Partial<Move>): Tx<void> {
  const stop = { event: "stop", cause: "stopped", reason: null, at: 3, ...move } as const;
  yield* movePod((yield* lockPod(id))!, stop);
}

function* liveOnce(now: number): Tx<void> {
  yield* rentPod("p", now, { keyId: "k" });
  const pod = function* () {
    return (yield* findPod("p"))!;
  };
  yield* container.markStarting(yield* pod(), 1, now);
  const trouble = { sentence: "no such image", cause: null, engine: null };
  yield* container.markNotStarted(yield* pod(), trouble, now + 1, now + 9);
  yield* container.markStarting(yield* pod(), 1, now + 2);
  const running = { startedAt: now + 3, dataCenterId: null, publicIp: null };
  yield* container.markRunning(yield* pod(), running);
  const end = { at: now + 4, exitCode: 1, signal: null, oom: false };
  yield* container.markPodEnded(yield* pod(), end, { ends: [now + 4], startAt: now + 5 });
  yield* container.markPodEnded(yield* pod(), end, { ends: [now + 4], startAt: now + 5 });
  const reason = "its budget is spent";
  yield* moveOf("p", { cause: "budget_spent", reason, at: now + 5 });
  yield* moveOf("p", { at: now + 6 });
  yield* container.markPodStopped(yield* pod(), now + 7);
}

export function podEventConformance(open: OpenStore): void {
  lifeConformance(open);
  actorConformance(open);
  stepConformance(open);
  machineConformance(open);
}

function lifeConformance(open: OpenStore): void {
  test("moves and observations of a Pod are its events", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(liveOnce, now);
    const events = await eventsOf(store);
    assert.deepEqual(
      events.map(({ at, event, from, to, actor }) => [at - now, event, from, to, actor]),
      [
        [0, "created", null, "RUNNING", "key"],
        [0, "container_starting", "none", "starting", "machine"],
        [1, "start_failed", "starting", "none", "machine"],
        [2, "container_starting", "none", "starting", "machine"],
        [3, "container_running", "starting", "running", "machine"],
        [4, "container_ended", "running", "ended", "container"],
        [5, "budget_spent", "RUNNING", "EXITED", "budget"],
        [7, "container_gone", "ended", "none", "machine"],
      ],
    );
    assert.match(events[2]!.line, /no such image; tried again in/);
    assert.match(events[6]!.line, /its budget is spent/);
    const lines = await store.read(systemLines, "p", { tail: 500, since: 0, after: 0 });
    assert.deepEqual(
      lines.map(({ line }) => line),
      events.map(({ line }) => line),
    );
    const part = await store.read(podEvents, "p", { before: events[3]!.n, limit: 2 });
    assert.deepEqual(part, [events[2], events[1]]);
    await store.write(moveOf, "p", { event: "delete", cause: "deleted" });
    await store.write(forgetPod, "p");
    assert.deepEqual(await eventsOf(store), []);
  });
}

function actorConformance(open: OpenStore): void {
  test("an event names the key and the member of the request", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    const at = { accountId: "account", createdAt: now };
    const ada = { ...at, id: "ada", email: "ada@example.org", name: "Ada", role: "dev" as const };
    await store.write(insertMember, ada);
    const member = { id: "ada", name: "Ada", role: "dev" as const };
    const key = { ...at, id: "k", name: "laptop", hint: "k", member, permissions: everything };
    await store.write(insertKey, { ...key, disabledAt: null }, "hash");
    await store.write(rentPod, "p", now, { keyId: "" });
    const asks: (Actor | undefined)[] = [
      { kind: "key", keyId: "k" },
      { kind: "pod", podId: "p" },
    ];
    for (const by of asks) await store.write(moveOf, "p", { event: "restart", by });
    const events = await eventsOf(store);
    assert.deepEqual(
      events.map(({ actor, keyName, member }) => [actor, keyName, member?.email ?? null]),
      [
        ["service", null, null],
        ["key", "laptop", "ada@example.org"],
        ["pod", null, null],
      ],
    );
  });
}

function stepConformance(open: OpenStore): void {
  test("of the lines in between, only steps of a start are events", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now);
    const pulling = containerEvent("image_pulling", null, null);
    await store.write(addSystemLogLine, "p", now, "pulling the image i", pulling);
    await store.write(addSystemLogLine, "p", now, "pulling the image: 3 of 5 layers");
    assert.deepEqual(
      (await eventsOf(store)).map(({ event }) => event),
      ["created", "image_pulling"],
    );
    await store.write(addSystemLogLine, "w", now, "pulling the image i", pulling);
    assert.deepEqual(await eventsOf(store, "w"), [], "a worker has none");
  });
}

function machineConformance(open: OpenStore): void {
  test("a lost machine, and its return, is logged once for each Pod that should run there", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now);
    await store.write(rentPod, "stopped", now);
    await store.write(moveOf, "stopped", {});
    const replica = { id: "m", machine: "m", drivers: ["simulated"], address: "" };
    const { inventory } = (await store.read(knownMachines))[0]!;
    await store.write(heartbeat, { ...replica, inventory }, now + 1, { leaseMs: 1, goneMs: 8_000 });
    for (const at of [7, 8]) await store.write(markLost, now + 5, now + at);
    for (const at of [20, 21])
      await store.write(heartbeat, { ...replica, inventory }, now + at, {
        leaseMs: 1,
        goneMs: 8_000,
      });
    const eventsSince = async (id: string) =>
      (await eventsOf(store, id)).slice(1).map(({ at, event }) => [at - now, event]);
    assert.deepEqual(await eventsSince("p"), [
      [7, "machine_lost"],
      [20, "machine_back"],
    ]);
    assert.equal((await eventsSince("stopped")).length, 1);
  });
}

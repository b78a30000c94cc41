// Laws of a Pod's events: each move of it and each sight of its container is one, told once and in the
// turn that it is of; they name who asked, stand among the lines of its log, and go with it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../../domain/account.ts";
import type { Actor } from "../../domain/audit/entry.ts";
import { seen } from "../../domain/pod/happening.ts";
import { insertKey } from "../account/account.ts";
import { insertMember } from "../member/member.ts";
import { podEvents } from "../pod/events.ts";
import { findPod, lockPod } from "../pod/row.ts";
import * as container from "../pod/seen.ts";
import { type Move, movePod } from "../pod/wanted.ts";
import { knownMachines } from "../replica/inventory.ts";
import { beat, markLost } from "../replica/replica.ts";
import type { Verb } from "../statement.ts";
import type { Store } from "../store.ts";
import { systemLines, tellSystem } from "../system-log.ts";
import { gpuMachine, rentPod } from "./pod-laws.ts";
import { type OpenStore, Stage } from "./stage.ts";

const ALL = { before: Number.MAX_SAFE_INTEGER, limit: 100 };

/** The oldest first. */
async function eventsOf(store: Store, id = "p") {
  return (await store.read(podEvents, id, ALL)).reverse();
}

function* moveOf(id: string, move: Partial<Move>): Verb<void> {
  const how = { event: "stop", cause: "stopped", reason: null, at: 3, ...move } as const;
  yield* movePod((yield* lockPod(id))!, how);
}

function* lived(now: number): Verb<void> {
  yield* rentPod("p", now, { keyId: "k" });
  const pod = function* () {
    return (yield* findPod("p"))!;
  };
  yield* container.markStarting(yield* pod(), 1, now);
  const trouble = { sentence: "no such image", cause: null };
  yield* container.markNotStarted(yield* pod(), trouble, now + 1, now + 9);
  yield* container.markStarting(yield* pod(), 1, now + 2);
  const running = { startedAt: now + 3, dataCenterId: null, publicIp: null };
  yield* container.markRunning(yield* pod(), running);
  const end = { at: now + 4, exitCode: 1, signal: null, oom: false };
  yield* container.markPodEnded(yield* pod(), end, [now + 4], now + 5);
  yield* container.markPodEnded(yield* pod(), end, [now + 4], now + 5);
  const reason = "its budget is spent";
  yield* moveOf("p", { cause: "budget_spent", reason, at: now + 5 });
  yield* moveOf("p", { at: now + 6 });
  yield* container.markPodStopped(yield* pod(), now + 7);
}

export function podEventLaws(open: OpenStore): void {
  storyLaw(open);
  whoLaw(open);
  stepLaw(open);
  machineLaw(open);
}

function storyLaw(open: OpenStore): void {
  test("a Pod's life is a list of what was wanted of it and what was seen", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(lived, now);
    const told = await eventsOf(store);
    assert.deepEqual(
      told.map(({ at, event, was, became, actor }) => [at - now, event, was, became, actor]),
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
    assert.match(told[2]!.line, /no such image; tried again in/);
    assert.match(told[6]!.line, /its budget is spent/);
    const lines = await store.read(systemLines, "p", { tail: 500, since: 0, after: 0 });
    assert.deepEqual(
      lines.map(({ line }) => line),
      told.map(({ line }) => line),
    );
    const part = await store.read(podEvents, "p", { before: told[3]!.n, limit: 2 });
    assert.deepEqual(part, [told[2], told[1]]);
    await store.write(moveOf, "p", { event: "delete", cause: "deleted" });
    await store.write(container.forgetPod, "p");
    assert.deepEqual(await eventsOf(store), []);
  });
}

function whoLaw(open: OpenStore): void {
  test("an event names the key and the member who asked for it", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    const at = { accountId: "account", createdAt: now };
    const ada = { ...at, id: "ada", email: "ada@example.org", name: "Ada", role: "dev" as const };
    await store.write(insertMember, ada);
    const member = { id: "ada", role: "dev" as const };
    const key = { ...at, id: "k", name: "laptop", hint: "k", member, permissions: everything };
    await store.write(insertKey, { ...key, disabledAt: null }, "hash");
    await store.write(rentPod, "p", now, { keyId: "" });
    const asks: (Actor | undefined)[] = [
      { kind: "key", keyId: "k" },
      { kind: "pod", podId: "p" },
    ];
    for (const by of asks) await store.write(moveOf, "p", { event: "restart", by });
    const told = await eventsOf(store);
    assert.deepEqual(
      told.map(({ actor, keyName, member }) => [actor, keyName, member?.email ?? null]),
      [
        ["service", null, null],
        ["key", "laptop", "ada@example.org"],
        ["pod", null, null],
      ],
    );
  });
}

function stepLaw(open: OpenStore): void {
  test("what is said in between is no event, but for the steps of a start", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now);
    const pulling = seen("image_pulling", null, null);
    await store.write(tellSystem, "p", now, "pulling the image i", pulling);
    await store.write(tellSystem, "p", now, "pulling the image: 3 of 5 layers");
    assert.deepEqual(
      (await eventsOf(store)).map(({ event }) => event),
      ["created", "image_pulling"],
    );
    await store.write(tellSystem, "w", now, "pulling the image i", pulling);
    assert.deepEqual(await eventsOf(store, "w"), [], "a worker has none");
  });
}

function machineLaw(open: OpenStore): void {
  test("a machine that is lost, and heard of again, is told to what is wanted there, once", async (t) => {
    const { store, now } = await Stage.set(open, t);
    await gpuMachine(store, "m", now);
    await store.write(rentPod, "p", now);
    await store.write(rentPod, "stopped", now);
    await store.write(moveOf, "stopped", {});
    const replica = { id: "m", machine: "m", drivers: ["fake"], address: "" };
    const { inventory } = (await store.read(knownMachines))[0]!;
    await store.write(beat, { ...replica, inventory }, now + 1, 1);
    for (const at of [7, 8]) await store.write(markLost, now + 5, now + at);
    for (const at of [20, 21]) await store.write(beat, { ...replica, inventory }, now + at, 1);
    const told = async (id: string) =>
      (await eventsOf(store, id)).slice(1).map(({ at, event }) => [at - now, event]);
    assert.deepEqual(await told("p"), [
      [7, "machine_lost"],
      [20, "machine_back"],
    ]);
    assert.equal((await told("stopped")).length, 1);
  });
}

// Logs in the store: lines and pieces are in order, the newest are kept, and all are deleted with
// the workload.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appendArchivedLog,
  archivedLog,
  forgetArchivedLog,
} from "../../../../src/store/log/archived-log.ts";
import { addSystemLogLine, systemLines } from "../../../../src/store/log/system-log.ts";
import { findPod } from "../../../../src/store/pod/row.ts";
import { forgetPod } from "../../../../src/transactions/pod/forget.ts";
import { movePod } from "../../../../src/transactions/pod/move.ts";
import { forgetWorkers } from "../../../../src/transactions/worker/forget.ts";
import { markEnded, markStarted } from "../../../../src/transactions/worker/observe.ts";
import { requestWorkerEnd } from "../../../../src/transactions/worker/request-end.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine, rentPod } from "../pod/pod.ts";

const ALL = { tail: 1_000, since: 0, after: 0 };

export function logConformance(open: OpenStore): void {
  lifetimeConformance(open);
  numberConformance(open);
  archivedLogConformance(open);
}

function lifetimeConformance(open: OpenStore): void {
  test("a worker's system log is in order, and deleted with it", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    await fixture.worker("logged");
    await store.write(markStarted, "logged", now + 2);
    await store.write(addSystemLogLine, "logged", now + 3, "a word");
    await store.write(requestWorkerEnd, "logged", "end", "a reason", now + 4);
    await store.write(markEnded, "logged", { at: now + 5, exitCode: 3, signal: null });
    await store.write(markEnded, "logged", { at: now + 6, exitCode: 3, signal: null });
    const lines = await store.read(systemLines, "logged", ALL);
    assert.deepEqual(
      lines.slice(1).map(({ n, at, line }) => [n, at - now, line]),
      [
        [2, 2, "started"],
        [3, 3, "a word"],
        [4, 4, "is to end: a reason"],
        [5, 5, "ended with exit code 3"],
      ],
    );
    const part = (more: object) => store.read(systemLines, "logged", { ...ALL, ...more });
    assert.deepEqual(await part({ tail: 2 }), lines.slice(-2));
    assert.deepEqual(await part({ after: 3 }), lines.slice(3));
    assert.deepEqual(await part({ since: now + 4 }), lines.slice(3));
    await store.write(forgetWorkers, now + 100, 20);
    assert.deepEqual(await part({}), []);
  });

  test("a Pod's system log has its creation and moves, and is deleted with it", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    await gpuMachine(store, "m", fixture.now);
    await store.write(rentPod, "p", fixture.now);
    const reason = "it was time";
    await store.write(function* () {
      const pod = (yield* findPod("p"))!;
      yield* movePod(pod, { event: "stop", cause: "stop_after", reason, at: 2 });
      const stopped = { ...pod, desired: { ...pod.desired, state: "EXITED" as const } };
      yield* movePod(stopped, { event: "stop", cause: "stopped", reason, at: 3 });
      yield* movePod(stopped, { event: "delete", cause: "deleted", reason: null, at: 4 });
    });
    const lines = await store.read(systemLines, "p", ALL);
    assert.deepEqual(
      lines.slice(1).map(({ line }) => line),
      ["stopped: it was time", "a client deletes it"],
    );
    await store.write(forgetPod, "p");
    assert.deepEqual(await store.read(systemLines, "p", ALL), []);
  });
}

function numberConformance(open: OpenStore): void {
  test("lines that are added at once are all kept, each with its own number", async (t) => {
    const fixture = await Fixture.set(open, t);
    const words = Array.from({ length: 30 }, (_, n) => `word ${n}`);
    await Promise.all(words.map((line) => fixture.store.write(addSystemLogLine, "w", 1, line)));
    const lines = await fixture.store.read(systemLines, "w", { ...ALL, after: 1 });
    assert.deepEqual(
      lines.map(({ n }) => n),
      words.map((_, n) => n + 2),
    );
    assert.deepEqual(lines.map(({ line }) => line).sort(), words.toSorted());
  });

  test("the newest 500 lines are kept, long lines are cut, and unknown workloads have none", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    for (let n = 0; n < 600; n += 50) {
      const some = Array.from({ length: 50 }, (_, k) => `${n + k}`);
      await Promise.all(some.map((line) => store.write(addSystemLogLine, "w", 1, line)));
    }
    await store.write(addSystemLogLine, "w", 1, "x".repeat(10_000));
    const lines = await store.read(systemLines, "w", ALL);
    assert.deepEqual([lines.length, lines[0]!.n, lines.at(-1)!.n], [500, 103, 602]);
    assert.equal(lines.at(-1)!.line.length, 2_000);
    await store.write(addSystemLogLine, "unknown", 1, "a word");
    assert.deepEqual(await store.read(systemLines, "unknown", ALL), []);
  });
}

function archivedLogConformance(open: OpenStore): void {
  const limit = { lines: 100, chars: 1_000 };
  const piece = (name: number, lines: number, chars: number) => ({
    lines,
    chars,
    bytes: Uint8Array.of(name, 0, 255),
  });

  test("the newest pieces of earlier containers' logs are kept", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    const names = async () => (await store.read(archivedLog, "w")).map((bytes) => bytes[0]);
    for (const name of [1, 2, 3])
      await store.write(appendArchivedLog, "w", piece(name, 50, 10), limit);
    assert.deepEqual(await names(), [2, 3]);
    await store.write(appendArchivedLog, "w", piece(4, 1, 995), limit);
    assert.deepEqual(await names(), [3, 4]);
    await store.write(appendArchivedLog, "w", piece(5, 200, 5_000), limit);
    assert.deepEqual(
      (await store.read(archivedLog, "w")).map((bytes) => [...bytes]),
      [[5, 0, 255]],
    );
    await Promise.all(
      [6, 7].map((name) => store.write(appendArchivedLog, "w", piece(name, 1, 1), limit)),
    );
    assert.equal((await names()).length, 3);
    await store.write(forgetArchivedLog, "w");
    assert.deepEqual(await names(), []);
  });

  test("archived logs are deleted with the workload, and unknown workloads have none", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    await gpuMachine(store, "m", fixture.now);
    await store.write(rentPod, "p", fixture.now);
    await fixture.worker("v");
    for (const id of ["p", "v", "unknown"]) {
      await store.write(appendArchivedLog, id, piece(1, 1, 1), limit);
      assert.equal((await store.read(archivedLog, id)).length, id === "unknown" ? 0 : 1);
    }
    await store.write(function* () {
      const pod = (yield* findPod("p"))!;
      yield* movePod(pod, { event: "delete", cause: "deleted", reason: null, at: 4 });
    });
    await store.write(forgetPod, "p");
    await store.write(markEnded, "v", { at: fixture.now, exitCode: 0, signal: null });
    await store.write(forgetWorkers, fixture.now + 100, 20);
    for (const id of ["p", "v"]) assert.deepEqual(await store.read(archivedLog, id), []);
  });
}

// Laws of logs that the store keeps: lines and pieces stand in their order, the newest are kept, and
// they go with the workload.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addKeptLog, forgetKeptLog, keptLog } from "../kept-log.ts";
import { findPod } from "../pod/row.ts";
import { forgetPod } from "../pod/seen.ts";
import { movePod } from "../pod/wanted.ts";
import { systemLines, tellSystem } from "../system-log.ts";
import { forgetWorkers, markEnded, markStarted, wantEnd } from "../worker/worker.ts";
import { gpuMachine, rentPod } from "./pod-laws.ts";
import { type OpenStore, Stage } from "./stage.ts";

const ALL = { tail: 1_000, since: 0, after: 0 };

export function logLaws(open: OpenStore): void {
  lifeLaws(open);
  numberLaws(open);
  keptLaws(open);
}

function lifeLaws(open: OpenStore): void {
  test("a worker's life is told in order, and forgotten with it", async (t) => {
    const stage = await Stage.set(open, t);
    const { store, now } = stage;
    await stage.worker("told");
    await store.write(markStarted, "told", now + 2);
    await store.write(tellSystem, "told", now + 3, "a word");
    await store.write(wantEnd, "told", "end", "a reason", now + 4);
    await store.write(markEnded, "told", { at: now + 5, exitCode: 3, signal: null });
    await store.write(markEnded, "told", { at: now + 6, exitCode: 3, signal: null });
    const lines = await store.read(systemLines, "told", ALL);
    assert.deepEqual(
      lines.slice(1).map(({ n, at, line }) => [n, at - now, line]),
      [
        [2, 2, "started"],
        [3, 3, "a word"],
        [4, 4, "is to end: a reason"],
        [5, 5, "ended with exit code 3"],
      ],
    );
    const part = (more: object) => store.read(systemLines, "told", { ...ALL, ...more });
    assert.deepEqual(await part({ tail: 2 }), lines.slice(-2));
    assert.deepEqual(await part({ after: 3 }), lines.slice(3));
    assert.deepEqual(await part({ since: now + 4 }), lines.slice(3));
    await store.write(forgetWorkers, now + 100, 20);
    assert.deepEqual(await part({}), []);
  });

  test("a Pod's making and moves are told, and forgotten with it", async (t) => {
    const stage = await Stage.set(open, t);
    const { store } = stage;
    await gpuMachine(store, "m", stage.now);
    await store.write(rentPod, "p", stage.now);
    const reason = "it was time";
    await store.write(function* () {
      const pod = (yield* findPod("p"))!;
      yield* movePod(pod, { event: "stop", cause: "stop_after", reason, at: 2 });
      yield* movePod(
        { ...pod, state: "EXITED" },
        { event: "stop", cause: "stopped", reason, at: 3 },
      );
      yield* movePod(
        { ...pod, state: "EXITED" },
        { event: "delete", cause: "deleted", reason: null, at: 4 },
      );
    });
    const lines = await store.read(systemLines, "p", ALL);
    assert.deepEqual(
      lines.slice(1).map(({ line }) => line),
      ["stop (stop after): it was time", "a client deletes it"],
    );
    await store.write(forgetPod, "p");
    assert.deepEqual(await store.read(systemLines, "p", ALL), []);
  });
}

function numberLaws(open: OpenStore): void {
  test("lines that come at once are all kept, each under a number of its own", async (t) => {
    const stage = await Stage.set(open, t);
    const words = Array.from({ length: 30 }, (_, n) => `word ${n}`);
    await Promise.all(words.map((line) => stage.store.write(tellSystem, "w", 1, line)));
    const lines = await stage.store.read(systemLines, "w", { ...ALL, after: 1 });
    assert.deepEqual(
      lines.map(({ n }) => n),
      words.map((_, n) => n + 2),
    );
    assert.deepEqual(lines.map(({ line }) => line).sort(), words.toSorted());
  });

  test("the newest 500 are kept, of long lines their beginning, of strangers nothing", async (t) => {
    const stage = await Stage.set(open, t);
    const { store } = stage;
    for (let n = 0; n < 600; n += 50) {
      const some = Array.from({ length: 50 }, (_, k) => `${n + k}`);
      await Promise.all(some.map((line) => store.write(tellSystem, "w", 1, line)));
    }
    await store.write(tellSystem, "w", 1, "x".repeat(10_000));
    const lines = await store.read(systemLines, "w", ALL);
    assert.deepEqual([lines.length, lines[0]!.n, lines.at(-1)!.n], [500, 103, 602]);
    assert.equal(lines.at(-1)!.line.length, 2_000);
    await store.write(tellSystem, "nobody", 1, "a word");
    assert.deepEqual(await store.read(systemLines, "nobody", ALL), []);
  });
}

function keptLaws(open: OpenStore): void {
  const most = { lines: 100, chars: 1_000 };
  const piece = (name: number, lines: number, chars: number) => ({
    ...{ lines, chars },
    bytes: Uint8Array.of(name, 0, 255),
  });

  test("of what earlier containers printed the newest pieces are kept", async (t) => {
    const stage = await Stage.set(open, t);
    const { store } = stage;
    const names = async () => (await store.read(keptLog, "w")).map((bytes) => bytes[0]);
    for (const name of [1, 2, 3]) await store.write(addKeptLog, "w", piece(name, 50, 10), most);
    assert.deepEqual(await names(), [2, 3]);
    await store.write(addKeptLog, "w", piece(4, 1, 995), most);
    assert.deepEqual(await names(), [3, 4]);
    await store.write(addKeptLog, "w", piece(5, 200, 5_000), most);
    assert.deepEqual(
      (await store.read(keptLog, "w")).map((bytes) => [...bytes]),
      [[5, 0, 255]],
    );
    await Promise.all([6, 7].map((name) => store.write(addKeptLog, "w", piece(name, 1, 1), most)));
    assert.equal((await names()).length, 3);
    await store.write(forgetKeptLog, "w");
    assert.deepEqual(await names(), []);
  });

  test("they go with the workload, and of strangers nothing is kept", async (t) => {
    const stage = await Stage.set(open, t);
    const { store } = stage;
    await gpuMachine(store, "m", stage.now);
    await store.write(rentPod, "p", stage.now);
    await stage.worker("v");
    for (const id of ["p", "v", "nobody"]) {
      await store.write(addKeptLog, id, piece(1, 1, 1), most);
      assert.equal((await store.read(keptLog, id)).length, id === "nobody" ? 0 : 1);
    }
    await store.write(function* () {
      const pod = (yield* findPod("p"))!;
      yield* movePod(pod, { event: "delete", cause: "deleted", reason: null, at: 4 });
    });
    await store.write(forgetPod, "p");
    await store.write(markEnded, "v", { at: stage.now, exitCode: 0, signal: null });
    await store.write(forgetWorkers, stage.now + 100, 20);
    for (const id of ["p", "v"]) assert.deepEqual(await store.read(keptLog, id), []);
  });
}

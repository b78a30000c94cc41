// Which nodes of a cluster have their loops run, on a real store.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { runBusyNodesLoop } from "./run-busy-nodes.ts";

test("a node's loops run while it has containers, and a minute longer", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-busy-"));
  const store = await openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  let now = 0;
  const running = new Set<string>();
  let observed: string[] = [];
  const loop = runBusyNodesLoop({
    store,
    clock: { now: () => now, ticks: () => now, after: () => () => {} },
    observed: async () => observed,
    run: (machine) => void running.add(machine),
    rest: async (machine) => void running.delete(machine),
  });
  const after = async (seconds: number, containersOn: string[]) => {
    now += seconds * 1_000;
    observed = containersOn;
    await loop.run();
    return [...running].sort();
  };
  assert.deepEqual(await after(0, []), []);
  assert.deepEqual(await after(1, ["a", "b"]), ["a", "b"]);
  assert.deepEqual(await after(30, ["b"]), ["a", "b"]);
  assert.deepEqual(await after(31, ["b"]), ["b"]);
  assert.deepEqual(await after(1, ["a", "b"]), ["a", "b"]);
  assert.deepEqual(await after(61, []), []);
});

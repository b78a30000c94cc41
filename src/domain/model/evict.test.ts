import assert from "node:assert/strict";
import test from "node:test";
import { modelsToEvict } from "./evict.ts";

const cached = [
  { model: "a/new", commit: "1", bytes: 40, usedAt: 30 },
  { model: "a/old", commit: "2", bytes: 30, usedAt: 10 },
  { model: "a/middle", commit: "3", bytes: 20, usedAt: 20 },
];

const table: [needed: number, limit: number, pinned: string[], evicted: string[] | null][] = [
  [10, 100, [], []],
  [11, 100, [], ["a/old"]],
  [40, 100, [], ["a/old"]],
  [41, 100, [], ["a/old", "a/middle"]],
  [100, 100, [], ["a/old", "a/middle", "a/new"]],
  [101, 100, [], null],
  [11, 100, ["a/old@2"], ["a/middle"]],
  [31, 100, ["a/old@2"], ["a/middle", "a/new"]],
  [70, 100, ["a/old@2"], ["a/middle", "a/new"]],
  [71, 100, ["a/old@2"], null],
  // Another commit of a pinned model is not pinned.
  [11, 100, ["a/old@9"], ["a/old"]],
  // A smaller limit than before empties the cache of what is not used.
  [0, 50, ["a/new@1"], ["a/old", "a/middle"]],
];

for (const [neededBytes, limitBytes, pinned, expected] of table) {
  test(`${neededBytes} of ${limitBytes} bytes, pinned: ${pinned.join() || "none"}`, () => {
    const evicted = modelsToEvict(cached, new Set(pinned), { neededBytes, limitBytes });
    assert.deepEqual(evicted?.map(({ model }) => model) ?? null, expected);
  });
}

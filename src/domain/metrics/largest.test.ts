import assert from "node:assert/strict";
import { test } from "node:test";
import { largest } from "./largest.ts";

test("the largest rows stay and the others are merged into one", () => {
  const rows = [1, 5, 2, 4].map((n) => ({ id: `e${n}`, n }));
  const merge = (rest: typeof rows) => ({
    id: "other",
    n: rest.reduce((sum, { n }) => sum + n, 0),
  });
  const of = (limit: number) =>
    largest(rows, limit, ({ n }) => n, merge).map(({ id, n }) => [id, n]);
  assert.deepEqual(of(2), [
    ["e5", 5],
    ["e4", 4],
    ["other", 3],
  ]);
  assert.deepEqual(of(4).length, 4);
});

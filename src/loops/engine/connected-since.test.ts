import assert from "node:assert/strict";
import { test } from "node:test";
import { Watch } from "./connected-since.ts";

test("passes without a gap count back to the first", () => {
  const watch = new Watch(1_000);
  for (let now = 1_000; now < 60_000; now += 5_000) assert.equal(watch.recordPass(now), 1_000);
});

test("after a gap the connection counts from the next pass", () => {
  const watch = new Watch(1_000);
  assert.equal(watch.recordPass(2_000), 1_000);
  assert.equal(watch.recordPass(7_001), 7_001);
  assert.equal(watch.recordPass(9_000), 7_001);
});

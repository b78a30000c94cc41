import assert from "node:assert/strict";
import { test } from "node:test";
import { Watch } from "./watch.ts";

test("looks without a gap go back to the first", () => {
  const watch = new Watch(1_000);
  for (let now = 1_000; now < 60_000; now += 5_000) assert.equal(watch.look(now), 1_000);
});

test("after a gap the watch begins anew", () => {
  const watch = new Watch(1_000);
  assert.equal(watch.look(2_000), 1_000);
  assert.equal(watch.look(7_001), 7_001);
  assert.equal(watch.look(9_000), 7_001);
});

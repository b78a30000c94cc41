import assert from "node:assert/strict";
import { test } from "node:test";
import { driverProfile, profileOfNumber, sliceNumbers } from "./cluster-slices.ts";

test("a number of a MIG device on a cluster's node stands for its profile", () => {
  const profiles = ["1g.5gb", "1g.10gb", "7g.269gb", "1g.10gb.me", "1g.24gb-me", "1g.24gb.me.all"];
  const all = profiles.map((profile) => sliceNumbers(profile, 7)!);
  assert.equal(new Set(all.flat()).size, profiles.length * 7);
  for (const [n, profile] of profiles.entries())
    for (const number of all[n]!) assert.equal(profileOfNumber(number), profile);
  assert.deepEqual(sliceNumbers("1g.10gb", 0), []);
  for (const other of ["1c.3g.40gb", "3g", "", "1g.10gb.x"])
    assert.equal(sliceNumbers(other, 1), null, other);
  for (const whole of [0, 7, 999, 120_000]) assert.equal(profileOfNumber(whole), null);
  assert.deepEqual(["1g.10gb.me", "1g.10gb", "1g.24gb-me"].map(driverProfile), [
    "1g.10gb+me",
    "1g.10gb",
    "1g.24gb-me",
  ]);
});

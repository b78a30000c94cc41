// Tests of the MIG profiles that a driver listed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { listedProfiles } from "./listed-profiles.ts";

test("the profiles that a driver of another version listed are not those of this one", () => {
  const profiles = [{ name: "1g.10gb", id: 19, total: 7, starts: [0], size: 1 }];
  const health = { migProfiles: { "GPU-a": { driver: "510.47", profiles } } };
  assert.deepEqual(listedProfiles(health, "GPU-a", "510.47"), profiles);
  assert.deepEqual(listedProfiles(health, "GPU-a", "570.133"), []);
  assert.deepEqual(listedProfiles(health, "GPU-b", "510.47"), []);
  assert.deepEqual(listedProfiles({}, "GPU-a", null), []);
});

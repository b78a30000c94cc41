// Tests of GPUs that have other MIG devices than those that were set.

import assert from "node:assert/strict";
import { test } from "node:test";
import { driftedGpus, driftFault, mayRestore } from "./layout-drift.ts";
import type { MigChanges } from "./mig-layout.ts";

const machine = (found: string[], isRead = true) => ({
  gpus: isRead ? [{ virtual: false, indices: found.length > 0 ? [1, 2, 3] : [0] }] : [],
  gpuNumbers: { "GPU-a": 0 },
  gpuSlices: Object.fromEntries(found.map((profile, n) => [`MIG-${n}`, { gpu: "GPU-a", profile }])),
});
const halves = ["3g.40gb", "3g.40gb"];
const declared = (more: MigChanges = {}): MigChanges => {
  return { migLayouts: { "GPU-a": halves }, ...more };
};

test("a GPU drifts once it is read with other devices than were set", () => {
  const changing = { profiles: halves, requestedAt: 1, result: null, isRead: false };
  const rows: [found: string[], health: MigChanges, isRead: boolean, reason: string | null][] = [
    [[...halves], declared(), true, null],
    [["3g.40gb", "3g.40gb+me"], declared(), true, null],
    [[], declared(), true, "its MIG devices are gone, but 2 × 3g.40gb were set"],
    [[], declared(), false, null],
    [[], declared({ migChanges: { "GPU-a": changing } }), true, null],
    [["7g.80gb"], declared(), true, "its MIG devices are 7g.80gb, but 2 × 3g.40gb were set"],
    [["7g.80gb"], {}, true, null],
  ];
  for (const [found, health, isRead, reason] of rows) {
    const drifts = driftedGpus(machine(found, isRead), health);
    assert.deepEqual(
      drifts.map((drift) => driftFault(drift, health).reason),
      reason === null ? [] : [reason],
    );
  }
});

test("a layout that the driver refuses to put back is tried again after a while", () => {
  const result = { outcome: "refused" as const, text: "In use by another client", at: 1_000 };
  const change = { profiles: halves, requestedAt: 1, result, isRead: true };
  const refused = declared({ migChanges: { "GPU-a": { ...change, isRestore: true } } });
  const [drift] = driftedGpus(machine([]), refused);
  assert.match(driftFault(drift!, refused).reason, /, and were not put back: In use by another/);
  assert.deepEqual(
    [2_000, 301_000].map((now) => mayRestore("GPU-a", refused, now)),
    [false, true],
  );
  assert.equal(mayRestore("GPU-a", declared({ migChanges: { "GPU-a": change } }), 2_000), true);
});

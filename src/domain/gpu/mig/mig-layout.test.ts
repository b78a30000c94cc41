// Tests of the record of changes of MIG layouts: from the request until the GPU was read again, nothing new gets it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultyGpus, withQuarantines } from "../gpu-health.ts";
import type { GpuHealth } from "../health-record.ts";
import {
  changingGpus,
  endMigChange,
  requestedChanges,
  requestMigLayouts,
  unreadChanges,
  withReadChanges,
} from "./mig-layout.ts";

const result = { outcome: "set", text: "it has 3g.40gb", at: 2 } as const;

test("a GPU gets nothing new from the request on, until it was read after the change", () => {
  const inventory = {
    gpus: [{ virtual: false, indices: [0, 1, 2] }],
    gpuNumbers: { "GPU-a": 0, "GPU-b": 1, "MIG-c": 2 },
    gpuSlices: {
      "MIG-c": { gpu: "GPU-a", profile: "3g.40gb", gpuInstance: 1, computeInstance: 0 },
    },
  };
  const excluded = (health: GpuHealth) => [...faultyGpus(withQuarantines(inventory, health))];
  assert.deepEqual(excluded({}), []);
  const requested = requestMigLayouts<GpuHealth>({}, { "GPU-a": ["3g.40gb"] }, 1);
  assert.deepEqual(excluded(requested), [0, 2]);
  assert.deepEqual(unreadChanges(requested), []);
  // A reading that ended before the change says nothing of it.
  const early = withReadChanges(requested, ["GPU-a"]);
  assert.deepEqual(changingGpus(early), ["GPU-a"]);

  const [, change] = requestedChanges(requested)[0]!;
  const ended = endMigChange(requested, "GPU-a", change, result);
  assert.deepEqual([requestedChanges(ended), excluded(ended)], [[], [0, 2]]);
  assert.deepEqual(unreadChanges(ended), ["GPU-a"]);
  assert.deepEqual(excluded(withReadChanges(ended, ["GPU-a"])), []);
});

test("the end of a change counts once, and not for the one after it", () => {
  const first = requestMigLayouts({}, { "GPU-a": ["3g.40gb"] }, 1);
  const [, change] = requestedChanges(first)[0]!;
  const second = requestMigLayouts(first, { "GPU-a": null }, 5);
  assert.equal(endMigChange(second, "GPU-a", change, result), second);
  assert.equal(endMigChange(first, "GPU-never", change, result), first);
  const ended = endMigChange(first, "GPU-a", change, result);
  assert.equal(endMigChange(ended, "GPU-a", change, result), ended);
});

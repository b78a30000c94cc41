// Tests of the events for a machine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gpuUnhealthy, migLayoutRestored } from "./machine-events.ts";

test("two GPUs of a machine have events of their own at one instant", () => {
  const restored = (uuid: string) =>
    migLayoutRestored("m", 1, { uuid, profiles: "3g.40gb", refusal: null });
  assert.notEqual(restored("GPU-a").id, restored("GPU-b").id);
  assert.notEqual(gpuUnhealthy("m", 1, "GPU 0: a").id, gpuUnhealthy("m", 1, "GPU 1: a").id);
  assert.equal(restored("GPU-a").id, restored("GPU-a").id);
  assert.deepEqual(
    Object.keys(gpuUnhealthy("m", 1, null)).filter((key) => key === "subject"),
    [],
  );
});

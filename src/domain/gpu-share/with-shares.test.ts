// Tests of a machine's offer with shares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withShares } from "./with-shares.ts";

const HALVES = { count: 2, memoryInGb: 20 };

test("what is known of a shared GPU stays while it cannot be read, and is not offered", () => {
  const whole = { gpuTypeId: "A40", memoryMb: 46_068, virtual: false, indices: [0, 1] };
  const gpuNumbers = { "GPU-a": 0, "GPU-b": 1 };
  const shared = { "GPU-a": HALVES, "GPU-never": HALVES };
  const offered = withShares({ gpus: [whole], gpuNumbers }, shared);
  assert.deepEqual(
    offered.gpus.map(({ gpuTypeId, indices }) => [gpuTypeId, indices]),
    [
      ["A40", [1]],
      ["A40 shared 1/2 20GB", [100_000_000, 100_000_001]],
    ],
  );
  const fallen = withShares({ gpus: [{ ...whole, indices: [1] }], gpuNumbers }, shared);
  assert.deepEqual(fallen.gpus, [{ ...whole, indices: [1] }]);
  for (const each of [offered, fallen]) assert.deepEqual(each.gpuShares, { "GPU-a": HALVES });
  const none = { gpus: [whole] };
  assert.equal(withShares(none, shared), none);
});

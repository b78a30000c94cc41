import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Addition,
  changedQuota,
  effectiveQuota,
  exhaustedTypes,
  hasLimits,
  nothingHeld,
  overQuota,
  type Quota,
  refuseAddition,
  sumOf,
} from "./quota.ts";

const A40 = "NVIDIA A40";
const holding = { ...nothingHeld, gpus: 4, pods: 2, rate: 1_500_000, gpuTypes: { [A40]: 4 } };

describe("a quota refuses what would exceed it", () => {
  const cases: [Quota, Addition, string | null][] = [
    [{}, { gpus: 99 }, null],
    [{ gpus: 4 }, { gpus: 1 }, "You hold 4 of 4 GPUs, and this adds 1. Stop a Pod,"],
    [{ gpus: 5 }, { gpus: 1 }, null],
    [
      { gpus: 0 },
      { gpus: 1 },
      "You hold 4 of 0 GPUs, and this adds 1. Ask an admin of the account",
    ],
    // What exceeds the limit by itself never fits, whatever is stopped.
    [
      { gpus: 1 },
      { gpus: 2 },
      "You hold 4 of 1 GPUs, and this adds 2. Request at most 1 GPU, or ask",
    ],
    [{ gpus: 5 }, { gpus: 5 }, "You hold 4 of 5 GPUs, and this adds 5. Stop a Pod,"],
    [
      { gpus: 5 },
      { gpus: 6 },
      "You hold 4 of 5 GPUs, and this adds 6. Request at most 5 GPUs, or ask an admin of the account",
    ],
    [
      { gpus: 4, pods: 2, rate: 1_000_000 },
      { gpus: 1, pods: 1, rate: 2_000_000 },
      "You hold 1.5 of 1 dollars per hour, and this adds 2. Request at most 1 dollars per hour,",
    ],
    [{ gpus: null }, { gpus: 1 }, null],
    // What is exceeded already refuses only what adds to it.
    [{ gpus: 1 }, { pods: 1, vcpus: 2 }, null],
    [{ gpus: 1 }, { gpus: 0 }, null],
    [
      { gpuTypes: { [A40]: 4 } },
      { gpus: 1, gpuTypeId: A40 },
      "You hold 4 of 4 GPUs of type NVIDIA A40,",
    ],
    [{ gpuTypes: { [A40]: 4 } }, { gpus: 1, gpuTypeId: "NVIDIA L4" }, null],
    [
      { gpuTypes: { "NVIDIA L4": 0 } },
      { gpus: 1, gpuTypeId: "NVIDIA L4" },
      "You hold 0 of 0 GPUs of",
    ],
    [
      { volumeGb: 5 },
      { volumeGb: 6 },
      "You hold 0 of 5 GB of volumes, and this adds 6. Request at",
    ],
    [{ rate: 2_000_000 }, { rate: 500_000 }, null],
    [
      { rate: 2e6 },
      { rate: 500_001 },
      "You hold 1.5 of 2 dollars per hour, and this adds 0.500001.",
    ],
    [
      { rate: 2e6 },
      { rate: 2_500_000 },
      "You hold 1.5 of 2 dollars per hour, and this adds 2.5. Request at most 2 dollars per hour,",
    ],
  ];
  for (const [quota, addition, sentence] of cases) {
    test(`${JSON.stringify(quota)} and ${JSON.stringify(addition)}`, () => {
      const fault = refuseAddition({ kind: "member", name: null }, quota, holding, addition);
      if (sentence === null) assert.equal(fault, null);
      else assert.ok(fault?.message.startsWith(sentence), fault?.message);
    });
  }
});

test("the refusal names a member that is not the caller, and the operator for an account", () => {
  const refuse = (holder: Parameters<typeof refuseAddition>[0]) =>
    refuseAddition(holder, { pods: 2 }, holding, { pods: 1 })?.message;
  const ada = refuse({ kind: "member", name: "Ada" });
  assert.match(ada!, /^Ada holds 2 of 2 running Pods.* ask an admin of the account to raise/);
  assert.match(refuse({ kind: "account" })!, /^The account holds .* ask the operator to raise/);
});

test("a member's own limits come before the default, also to lift it", () => {
  const standard = { gpus: 2, pods: 3, gpuTypes: { [A40]: 1, "NVIDIA L4": 1 } };
  const own = { gpus: null, gpuTypes: { [A40]: 2 } };
  const quota = effectiveQuota(own, standard);
  assert.deepEqual(quota, { gpus: null, pods: 3, gpuTypes: { [A40]: 2, "NVIDIA L4": 1 } });
  const unset = changedQuota(own, { gpus: undefined, pods: 4, gpuTypes: { [A40]: undefined } });
  assert.deepEqual(unset, { pods: 4, gpuTypes: {} });
  assert.equal(effectiveQuota(unset, standard).gpus, 2);
  assert.deepEqual([{}, own, { rate: 0 }, { gpus: null }].map(hasLimits), [
    false,
    true,
    true,
    false,
  ]);
});

test("what is over, and types without room, follow from what is held", () => {
  const quota = { gpus: 3, pods: 2, rate: 1_000_000, gpuTypes: { [A40]: 4, "NVIDIA L4": null } };
  assert.deepEqual(overQuota(quota, holding), ["4 of 3 GPUs", "1.5 of 1 dollars per hour"]);
  assert.deepEqual(exhaustedTypes(quota, holding, 1), [A40]);
  assert.deepEqual(exhaustedTypes({ gpuTypes: { [A40]: 6 } }, holding, 2), []);
  const sum = sumOf([holding, holding, { ...nothingHeld, gpus: 1, gpuTypes: { "NVIDIA L4": 1 } }]);
  assert.deepEqual([sum.gpus, sum.gpuTypes], [9, { [A40]: 8, "NVIDIA L4": 1 }]);
});

// Tests of a machine's free resources.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { shareNumbers } from "../gpu-share/gpu-share.ts";
import { sliceNumbers } from "../machine/cluster-slices.ts";
import { placeOf } from "./place.ts";

test("a cluster's node has as many free GPUs as others leave beside the taken ones", () => {
  const offered = { gpuTypeId: "A40", memoryMb: 48_000, virtual: false, indices: [0, 1, 2] };
  const inventory = { ...bareInventory, gpus: [offered] };
  const taken = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set([2, 3]) };
  const freeOn = (facts: object) =>
    placeOf("m", ["kubernetes"], { ...inventory, ...facts }, taken).free.gpus[0]?.indices;
  assert.deepEqual(freeOn({ node: { remote: "k", name: "n1" } }), [0]);
  const leaving = placeOf(
    "m",
    [],
    { ...inventory, node: { remote: "k", name: "n1" } },
    {
      ...taken,
      gpus: new Set<number>(),
      leavingGpus: 2,
    },
  );
  assert.deepEqual(leaving.free.gpus[0]?.indices, [0]);
  // A MIG device of one profile is none of another.
  const numbers = (profile: string) => sliceNumbers(profile, 2)!;
  const groups = ["1g.10gb", "2g.20gb"].map((profile) => {
    return { ...offered, gpuTypeId: profile, indices: numbers(profile) };
  });
  const beyond = new Set([sliceNumbers("1g.10gb", 3)![2]!]);
  const node = { remote: "k", name: "n1" };
  const split = placeOf("m", [], { ...inventory, node, gpus: groups }, { ...taken, gpus: beyond });
  const counts = split.free.gpus.map(({ indices }) => indices.length);
  assert.deepEqual(counts, [1, 2]);
  // A GPU that fell off a machine is not one of the others.
  assert.deepEqual(freeOn({}), [0, 1]);
});

test("all shares of a machine's GPUs count, of which one workload has one of each", () => {
  const indices = [0, 1].flatMap((whole) => shareNumbers(whole, { count: 4, memoryInGb: 12 }));
  const group = { gpuTypeId: "A40/4", memoryMb: 12_288, virtual: false, indices };
  const nothing = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set<number>() };
  const gpusOf = (of: number[]) =>
    placeOf("m", [], { ...bareInventory, gpus: [{ ...group, indices: of }] }, nothing).free.gpus[0];
  const shares = gpusOf(indices);
  assert.deepEqual([shares?.offered, shares?.total], [2, 8]);
  assert.deepEqual([gpusOf([0, 1])?.offered, gpusOf([0, 1])?.total], [2, undefined]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { anyRequest } from "../../../test/fixtures/placement-request.ts";
import type { Inventory } from "../machine/inventory.ts";
import { placeOf } from "./place.ts";
import type { PlacementRequest } from "./request.ts";
import { shelfOf, stockOf } from "./stock.ts";

const request: PlacementRequest = { ...anyRequest, diskGb: 0, cloudType: "ALL" };

function place(machine: string, gpus: number, facts: Partial<Inventory> = {}, virtual = false) {
  const indices = Array.from({ length: gpus }, (_, n) => n);
  const group = { gpuTypeId: "A40", memoryMb: 49_152, virtual, indices };
  const roomy = { vcpus: 16, memoryMb: 65_536, diskGb: 500, gpus: [group] };
  const nothing = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set<number>() };
  return placeOf(machine, ["docker"], { ...bareInventory, ...roomy, ...facts }, nothing);
}

const asking = (count: number): PlacementRequest => ({
  ...request,
  compute: { ...request.compute, count } as PlacementRequest["compute"],
});

const rows: [
  name: string,
  request: PlacementRequest,
  places: ReturnType<typeof place>[],
  sentence: string,
][] = [
  ["no machine", request, [], "null "],
  ["one GPU", request, [place("a", 1)], "Low 1"],
  ["on several machines", request, [place("a", 2), place("b", 3)], "Medium 1,2,3"],
  ["many", request, [place("a", 8)], "High 1,2,3,4,5,6,7,8"],
  ["many at once", asking(8), [place("a", 8)], "Low 1,2,3,4,5,6,7,8"],
  ["more than one machine has", asking(3), [place("a", 2), place("b", 2)], "null 1,2"],
  [
    "in another cloud",
    { ...request, cloudType: "SECURE" },
    [place("a", 8, { cloudType: "COMMUNITY" })],
    "null ",
  ],
  ["in any cloud", request, [place("a", 8, { cloudType: "COMMUNITY" })], "High 1,2,3,4,5,6,7,8"],
  [
    "elsewhere",
    { ...request, dataCenterIds: ["EU-RO-1"] },
    [place("a", 8, { dataCenterId: "US-IL-1" })],
    "null ",
  ],
  ["without vCPUs left", request, [place("a", 8, { vcpus: 1 })], "null "],
  [
    "on paper vCPUs do not matter",
    request,
    [place("a", 8, { vcpus: 1 }, true)],
    "High 1,2,3,4,5,6,7,8",
  ],
];

for (const [name, wanted, places, sentence] of rows) {
  test(name, () => {
    const { level, counts, best } = stockOf(shelfOf(places), "A40", wanted);
    assert.equal(`${level} ${counts}`, sentence);
    assert.equal(best === null, level === null);
  });
}

test("a type that no machine has", () => {
  assert.deepEqual(stockOf(shelfOf([place("a", 1)]), "L4", request), {
    level: null,
    counts: [],
    best: null,
  });
});

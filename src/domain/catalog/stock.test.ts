import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../machine/bare.testing.ts";
import type { Inventory } from "../machine/inventory.ts";
import { placeOf } from "../placement/place.ts";
import { anyWish } from "../placement/wish.testing.ts";
import type { PlacementWish } from "../placement/wish.ts";
import { shelfOf, stockOf } from "./stock.ts";

const wish: PlacementWish = { ...anyWish, diskGb: 0, cloudType: "ALL" };

function place(machine: string, gpus: number, facts: Partial<Inventory> = {}, virtual = false) {
  const indices = Array.from({ length: gpus }, (_, n) => n);
  const group = { gpuTypeId: "A40", memoryMb: 49_152, virtual, indices };
  const roomy = { vcpus: 16, memoryMb: 65_536, diskGb: 500, gpus: [group] };
  const nothing = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set<number>() };
  return placeOf(machine, ["docker"], { ...bareInventory, ...roomy, ...facts }, nothing);
}

const asking = (count: number): PlacementWish => ({
  ...wish,
  compute: { ...wish.compute, count } as PlacementWish["compute"],
});

const rows: [
  name: string,
  wish: PlacementWish,
  places: ReturnType<typeof place>[],
  told: string,
][] = [
  ["no machine", wish, [], "null "],
  ["one GPU", wish, [place("a", 1)], "Low 1"],
  ["on several machines", wish, [place("a", 2), place("b", 3)], "Medium 1,2,3"],
  ["many", wish, [place("a", 8)], "High 1,2,3,4,5,6,7,8"],
  ["many at once", asking(8), [place("a", 8)], "Low 1,2,3,4,5,6,7,8"],
  ["more than one machine has", asking(3), [place("a", 2), place("b", 2)], "null 1,2"],
  [
    "in another cloud",
    { ...wish, cloudType: "SECURE" },
    [place("a", 8, { cloudType: "COMMUNITY" })],
    "null ",
  ],
  ["in any cloud", wish, [place("a", 8, { cloudType: "COMMUNITY" })], "High 1,2,3,4,5,6,7,8"],
  [
    "elsewhere",
    { ...wish, dataCenterIds: ["EU-RO-1"] },
    [place("a", 8, { dataCenterId: "US-IL-1" })],
    "null ",
  ],
  ["without vCPUs left", wish, [place("a", 8, { vcpus: 1 })], "null "],
  [
    "on paper vCPUs do not matter",
    wish,
    [place("a", 8, { vcpus: 1 }, true)],
    "High 1,2,3,4,5,6,7,8",
  ],
];

for (const [name, asked, places, told] of rows) {
  test(name, () => {
    const { level, counts, best } = stockOf(shelfOf(places), "A40", asked);
    assert.equal(`${level} ${counts}`, told);
    assert.equal(best === null, level === null);
  });
}

test("a type that no machine has", () => {
  assert.deepEqual(stockOf(shelfOf([place("a", 1)]), "L4", wish), {
    level: null,
    counts: [],
    best: null,
  });
});

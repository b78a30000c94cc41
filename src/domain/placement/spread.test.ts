import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { anyRequest, gpuRequest } from "../../../test/fixtures/placement-request.ts";
import { placeOf } from "./place.ts";
import { spreadGang } from "./spread.ts";

/** "rack:m" with free GPUs of one type. */
function machine(id: string, gpus: number) {
  const [fabric, name] = id.split(":") as [string, string];
  const indices = Array.from({ length: gpus }, (_, n) => n);
  const group = { gpuTypeId: "A40", memoryMb: 1_024, virtual: true, indices };
  const nothing = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set<number>() };
  const inventory = { ...bareInventory, diskGb: 10_000, gpus: [group] };
  return { fabric, place: placeOf(name, ["docker"], inventory, nothing) };
}

const request = { ...anyRequest, compute: gpuRequest(["A40"], 2) };
const rows: [name: string, count: number, machines: [string, number][], answer: string][] = [
  ["no machine", 2, [], "room 0"],
  [
    "two machines",
    2,
    [
      ["x:a", 2],
      ["x:b", 3],
    ],
    "x a1 b1",
  ],
  [
    "the machine with more room first",
    4,
    [
      ["x:a", 2],
      ["x:b", 6],
    ],
    "x b3 a1",
  ],
  [
    "machines of two fabrics",
    3,
    [
      ["x:a", 2],
      ["y:b", 4],
    ],
    "room 2",
  ],
  [
    "fewer machines",
    3,
    [
      ["x:a", 2],
      ["x:b", 2],
      ["x:c", 2],
      ["y:d", 2],
      ["y:e", 4],
    ],
    "y e2 d1",
  ],
  [
    "a GPU short",
    3,
    [
      ["x:a", 3],
      ["x:b", 2],
    ],
    "room 2",
  ],
];

for (const [name, count, machines, answer] of rows) {
  test(`a cluster of ${count} over ${name}: ${answer}`, () => {
    const spread = spreadGang(
      request,
      count,
      machines.map(([id, gpus]) => machine(id, gpus)),
    );
    const shares = "room" in spread ? [] : spread.shares.map((each) => each.machine + each.count);
    assert.equal(
      "room" in spread ? `room ${spread.room}` : [spread.fabric, ...shares].join(" "),
      answer,
    );
  });
}

test("what is kept for others is left on all machines together", () => {
  const places = ["a", "b", "c"].map((name) => machine(`x:${name}`, 3));
  const spread = (left: number) => {
    const bounded = places.map(({ fabric, place: { free, ...place } }) => {
      const gpus = free.gpus.map((each) => ({ ...each, left }));
      return { fabric, place: { ...place, free: { ...free, gpus } } };
    });
    return spreadGang(request, 2, bounded);
  };
  // Each has three free ones of nine, so that two of them have room for a Pod each.
  assert.equal("shares" in spread(4), true);
  assert.deepEqual(spread(3), { room: 1 });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "../placement/place.ts";
import type { LendingStock } from "../reservation/lent.ts";
import { boundsFor, type Claimed, entitledTypes, fillingOf, guaranteeUses } from "./guarantee.ts";
import { withinBounds, withRoomFor } from "./within-bounds.ts";

const claim = (changes: Partial<Claimed> = {}): Claimed => ({
  accountId: "lab",
  projectId: "vision",
  project: "vision",
  gpuTypeId: "A40",
  gpuCount: 4,
  used: 0,
  reserved: 0,
  members: new Set(["ada"]),
  ...changes,
});
const speech = claim({ projectId: "speech", project: "speech", members: new Set(["eve"]) });
const BOB = { accountId: "lab", memberId: "bob" };
const ADA = { accountId: "lab", memberId: "ada" };
const EVE = { accountId: "lab", memberId: "eve" };
const SIX: LendingStock = { free: 1, lent: 5 };

const cases: [string, typeof BOB, Claimed[], LendingStock, number | null, string?][] = [
  ["nothing is guaranteed", BOB, [], { free: 4, lent: 0 }, null],
  [
    "what is free beyond it may be taken",
    BOB,
    [claim({ used: 2 })],
    { free: 4, lent: 0 },
    2,
    "2 of 4 free A40 are guaranteed to project vision",
  ],
  [
    "what spot Pods hold can be given back",
    BOB,
    [claim({ used: 3 })],
    { free: 0, lent: 3 },
    2,
    "1 of 3 free or spot A40 is guaranteed to project vision",
  ],
  ["a used guarantee keeps nothing", BOB, [claim({ used: 5 })], { free: 1, lent: 0 }, null],
  [
    "what is reserved for its members fills it",
    BOB,
    [claim({ reserved: 4 })],
    { free: 1, lent: 0 },
    null,
  ],
  ["its members may take it", ADA, [claim()], { free: 4, lent: 0 }, null],
  ["but not those of another project", ADA, [claim(), speech], { free: 9, lent: 0 }, 5],
  ["the first comes before others where too few are left", ADA, [claim(), speech], SIX, 4],
  ["and the next gets the rest", EVE, [claim(), speech], SIX, 2],
  ["a second one waits for the first", ADA, [speech, claim()], { free: 4, lent: 0 }, 0],
  [
    "a lost machine leaves too few",
    BOB,
    [claim(), speech],
    { free: 3, lent: 1 },
    -4,
    "8 A40 are guaranteed to project vision and project speech, and only 4 are free or spot",
  ],
  [
    "another account's projects have no name",
    { accountId: "shop", memberId: "ada" },
    [claim()],
    { free: 0, lent: 0 },
    -4,
    "4 A40 are guaranteed to another account, and none is free",
  ],
];
for (const [name, asker, claims, stock, limit, reason] of cases) {
  test(`guarantees: ${name}`, () => {
    const bound = boundsFor(asker, claims, () => stock).get("A40");
    assert.equal(bound?.limit ?? null, limit);
    if (reason !== undefined) assert.equal(bound?.reason, reason);
  });
}

test("what is reserved for a caller comes before guarantees of others", () => {
  const limit = (reserved: number, free: number, asker = BOB) =>
    boundsFor(
      asker,
      [claim(), speech],
      () => ({ free, lent: 0 }),
      () => reserved,
    ).get("A40")?.limit;
  assert.deepEqual([limit(4, 4), limit(4, 3), limit(2, 9), limit(0, 4)], [4, 3, 2, -4]);
  assert.equal(limit(2, 8, EVE), 4);
});

test("a guarantee is in use, free, lent and short", () => {
  const uses = (claims: Claimed[], stock: LendingStock) =>
    guaranteeUses(claims, () => stock).map(({ used, free, lent, short }) => {
      return [used, free, lent, short];
    });
  assert.deepEqual(uses([claim({ used: 1 })], { free: 2, lent: 5 }), [[1, 2, 1, 0]]);
  assert.deepEqual(uses([claim({ used: 5 })], { free: 2, lent: 5 }), [[5, 0, 0, 0]]);
  assert.deepEqual(uses([claim({ reserved: 1 }), speech], { free: 2, lent: 2 }), [
    [0, 3, 1, 0],
    [0, 0, 1, 3],
  ]);
  const reservedStock = { free: 0, lent: 1 };
  assert.deepEqual(uses([claim({ reserved: 2, reservedStock })], { free: 2, lent: -1 }), [
    [0, 2, 1, 1],
  ]);
});

test("a member passes those in line with what its project may still take", () => {
  const member = { accountId: "lab", projectId: "vision" };
  const types = (used: number, count: number) =>
    entitledTypes([claim({ used }), speech], member, count).size;
  assert.deepEqual(
    [types(0, 4), types(3, 1), types(3, 2), types(4, 1), types(0, 0)],
    [1, 1, 0, 0, 0],
  );
});

test("workers that fill a guarantee are of no use to others, those beyond it are", () => {
  const fills = (used: number, memberId: string | null = "ada") => {
    const isFilling = fillingOf([claim({ used })]);
    return (count: number) => isFilling(memberId, "A40", count);
  };
  assert.equal(fills(4)(1), true);
  assert.equal(fills(5)(2), true);
  assert.equal(fills(4, null)(1), false);
  const six = fills(6);
  assert.deepEqual([six(1), six(2), six(1), six(1)], [false, true, false, true]);
});

test("places have no more GPUs than guarantees leave", () => {
  const place = (free: number) =>
    ({
      free: {
        gpus: [
          {
            typeId: "A40",
            virtual: false,
            indices: [...Array(free).keys()],
            idle: free,
            offered: 4,
          },
        ],
      },
    }) as unknown as Place;
  const bounded = (limit: number) =>
    withinBounds([place(4), place(1)], new Map([["A40", { limit, reason: "" }]]));
  const shown = (places: Place[]) =>
    places.map(({ free: { gpus } }) => [gpus[0]?.indices.length, gpus[0]?.owed, gpus[0]?.limit]);
  assert.deepEqual(shown(bounded(2)), [
    [2, 0, 2],
    [1, 0, 2],
  ]);
  assert.deepEqual(shown(bounded(-1)), [
    [0, 1, 0],
    [0, 1, 0],
  ]);
  const gpusLeft = (count: number) =>
    withRoomFor(bounded(2), count).map(({ free }) => free.gpus.length);
  assert.deepEqual(
    [gpusLeft(2), gpusLeft(3)],
    [
      [1, 1],
      [0, 0],
    ],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "../placement/place.ts";
import { fillingFor } from "./filling.ts";
import { keepFree } from "./keep-free.ts";
import { limitError, refuseShare } from "./limits.ts";
import { peakWithin } from "./peak.ts";
import { type Claim, leftFor, withheldFrom, withheldText } from "./reservation.ts";

const claim = (gpuCount: number, changes: Partial<Claim> = {}): Claim => {
  const { members = null, holder = "the account", accountId = "lab" } = changes;
  return { gpuTypeId: "A40", until: 100, gpuCount, members, holder, accountId, projectId: null };
};
const ada = claim(2, { members: new Set(["ada"]), holder: "Ada" });
const vision = claim(4, { members: new Set(["ada", "eve"]), holder: "project vision" });

const cases: [string, string, string | null, Claim[], [string | null, number][], number][] = [
  ["nothing is reserved", "lab", "eve", [], [["ada", 4]], 0],
  ["others lack what is not filled", "lab", "eve", [ada], [], 2],
  ["what the holder runs fills it", "lab", "eve", [ada], [["ada", 1]], 1],
  ["more than it never counts", "lab", "eve", [ada], [["ada", 7]], 0],
  ["what others run does not fill it", "lab", "eve", [ada], [["eve", 2]], 2],
  ["the holder may take it", "lab", "ada", [ada], [], 0],
  ["another account may not", "shop", "ada", [ada], [], 2],
  ["a project's is for its members", "lab", "eve", [vision], [], 0],
  ["and for no other", "lab", "bob", [vision], [["eve", 1]], 3],
  ["a GPU fills the member's first", "lab", "bob", [vision, ada], [["ada", 3]], 3],
  ["an account's is for everybody in it", "lab", null, [claim(3)], [], 0],
  ["a key of the account is no member", "lab", null, [ada], [], 2],
  ["an account's is filled by what has no owner", "shop", null, [claim(3)], [[null, 2]], 1],
  ["a member's comes before the account's", "shop", null, [claim(3), ada], [["ada", 3]], 2],
  ["all reservations of others count", "shop", null, [claim(3), ada, vision], [], 9],
];
for (const [name, accountId, memberId, claims, held, expected] of cases) {
  test(`withheld: ${name}`, () => {
    const asker = { accountId, memberId };
    const withheld = withheldFrom(asker, claims, () => new Map(held));
    assert.equal(withheld.get("A40")?.count ?? 0, expected);
  });
}

test("a refusal names the holders of the caller's account only", () => {
  const text = (accountId: string) => {
    const asker = { accountId, memberId: "bob" };
    const withheld = withheldFrom(asker, [ada, vision], () => new Map());
    return withheldText(withheld.get("A40")!, 8, "A40");
  };
  const end = "until 1970-01-01T00:00:00.100Z";
  assert.equal(text("lab"), `6 of 8 A40 are reserved for Ada and project vision ${end}`);
  assert.equal(text("shop"), `6 of 8 A40 are reserved for another account ${end}`);
});

test("the most that is reserved at once", () => {
  const [early, late] = [
    { from: 0, until: 10, gpuCount: 2 },
    { from: 10, until: 20, gpuCount: 3 },
  ];
  const both = { from: 5, until: 15, gpuCount: 1 };
  assert.equal(peakWithin([early], { from: 10, until: 20 }), null);
  const whole = { from: 0, until: 20 };
  assert.deepEqual(peakWithin([early, late], whole), { from: 10, until: 20, count: 3 });
  assert.deepEqual(peakWithin([early, late, both], whole), { from: 10, until: 15, count: 4 });
  // It begins no earlier than the time, and may end later.
  assert.deepEqual(peakWithin([both], { from: 7, until: 9 }), { from: 7, until: 15, count: 1 });
  const inside = { from: 6, until: 8, gpuCount: 1 };
  assert.deepEqual(peakWithin([early, both, inside], whole), { from: 6, until: 8, count: 4 });
  assert.deepEqual(peakWithin([early, both, early], whole), { from: 5, until: 10, count: 5 });
});

test("what is reserved for a project counts once, beside its guarantee", () => {
  const guaranteed = new Map([["vision", 3]]);
  const beyond = (...all: [string | null, number, number, number][]) => {
    const reservations = all.map(([projectId, gpuCount, from, until]) => {
      return { projectId, gpuCount, from, until };
    });
    return peakWithin(reservations, { from: 0, until: 20 }, guaranteed)?.count ?? 0;
  };
  assert.equal(beyond(["vision", 3, 0, 10]), 0);
  assert.equal(beyond(["vision", 2, 0, 10], ["vision", 2, 5, 15]), 1);
  assert.equal(beyond(["vision", 2, 0, 5], ["vision", 2, 5, 15]), 0);
  assert.equal(beyond(["vision", 3, 0, 10], ["speech", 2, 0, 10], [null, 1, 9, 12]), 3);
});

const place = (machine: string, free: number): Place =>
  ({
    machine,
    closed: null,
    free: {
      gpus: [
        { typeId: "A40", virtual: false, indices: [...Array(free).keys()], idle: free, offered: 4 },
      ],
    },
  }) as unknown as Place;

test("what is reserved is left out of what is free", () => {
  const all = [place("a", 4), place("b", 2)];
  const gpusOf = (count: number) =>
    keepFree(all, new Map([["A40", { count, holders: ["Ada"], until: 1 }]]), all).map(
      ({ free }) => [free.gpus[0]?.indices.length, free.gpus[0]?.left, free.gpus[0]?.owed],
    );
  assert.deepEqual(gpusOf(1), [
    [4, 5, 0],
    [2, 5, 0],
  ]);
  assert.deepEqual(gpusOf(3), [
    [3, 3, 0],
    [2, 3, 0],
  ]);
  assert.deepEqual(gpusOf(8), [
    [0, 0, 2],
    [0, 0, 2],
  ]);
});

test("the earlier of two reservations gets what is free, and neither waits for the other", () => {
  const bob = claim(4, { members: new Set(["bob"]), holder: "Bob" });
  const both = [vision, bob];
  const left = (memberId: string, free: number, held: [string, number][] = []) => {
    const asker = { accountId: "lab", memberId };
    return leftFor(free, withheldFrom(asker, both, () => new Map(held)).get("A40")!);
  };
  assert.deepEqual([left("ada", 6), left("bob", 6), left("eve", 3)], [4, 2, 3]);
  assert.deepEqual([left("ada", 9), left("bob", 9)], [5, 5]);
  // A member without a reservation gets nothing.
  assert.equal(left("grace", 6), -2);

  // Spot Pods hold all eight, four on each machine: each holder takes its own.
  const all = [place("a", 0), place("b", 0)];
  const owed = (memberId: string, gpuCount: number) => {
    const asker = { accountId: "lab", memberId };
    const withheld = withheldFrom(asker, both, () => new Map());
    const [first] = keepFree(all, withheld, all, { gpuCount, lentOf: () => 8 });
    return first?.free.gpus[0]?.owed;
  };
  assert.deepEqual(
    [owed("ada", 4), owed("bob", 4), owed("bob", 5), owed("grace", 1)],
    [0, 0, 4, 8],
  );
});

test("workers that fill a reservation are of no use to others, those beyond it are", () => {
  const isFilling = (held: [string, number][], accountId = "shop") => {
    const fills = fillingFor({ accountId, memberId: "ada" }, [ada], () => new Map(held));
    return (count: number) => fills({ accountId: "lab", memberId: "ada" }, "A40", count);
  };
  const two = isFilling([["ada", 2]]);
  assert.equal(two(1), true);
  assert.equal(two(2), true);
  const four = isFilling([["ada", 4]]);
  assert.deepEqual([four(1), four(2), four(1), four(1)], [false, true, false, true]);
  assert.equal(isFilling([["ada", 2]], "lab")(1), false);
});

test("a member's share is one GPU at least, and none is exceeded where it is off", () => {
  const limits = { hours: 2, aheadDays: 1, memberPercent: 25, unusedMinutes: null };
  const refusal = (
    gpuCount: number,
    reserved: number,
    total: number,
    percent: number | null = 25,
  ) => {
    const peak = { from: 0, until: 1, count: reserved };
    const request = { gpuTypeId: "A40", gpuCount };
    const share = { peak, total, name: null };
    return refuseShare(request, share, { ...limits, memberPercent: percent })?.code ?? null;
  };
  const none = [refusal(1, 0, 2), refusal(2, 0, 8), refusal(9, 9, 9, null)];
  assert.deepEqual(none, [null, null, null]);
  assert.deepEqual(
    [refusal(1, 1, 2), refusal(2, 1, 8)],
    ["reservation_share", "reservation_share"],
  );
  const hours = (from: number, until: number) =>
    limitError({ from: from * 3_600_000, until: until * 3_600_000 }, 0, limits);
  assert.deepEqual([hours(1, 3), hours(22, 24)], [null, null]);
  assert.match(hours(0, 3)!, /more than 2 hours after now/);
  assert.match(hours(24, 25)!, /more than 1 day ahead/);
  assert.equal(limitError({ from: 1, until: 9e7 }, 1e7, { ...limits, hours: null }), null);
});

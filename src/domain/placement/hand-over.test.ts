import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { anyRequest, gpuRequest } from "../../../test/fixtures/placement-request.ts";
import { addHeld, heldByWorker, nothingHeld } from "./fair-share.ts";
import { decideHandOver, type Holding, SLICE_MS } from "./hand-over.ts";
import { placeOf } from "./place.ts";

const GPUS = 4;
const group = { gpuTypeId: "A40", memoryMb: 24_576, virtual: false, indices: [0, 1, 2, 3] };
const inventory = { ...bareInventory, vcpus: 64, memoryMb: 262_144, diskGb: 900 };

/** A worker with one GPU, or with the named ones. */
const worker = (
  id: string,
  accountId: string,
  state: Holding["state"],
  since: number,
  gpus: number[],
): Holding => {
  const what = { gpuTypeId: "A40", virtual: false, vcpus: 2, memoryMb: 8_192, diskGb: 0 };
  return { id, accountId, state, since, gpus, machine: "m", ...what };
};

function handOverTo(accountId: string, holdings: Holding[], gpuCount = 1, now = 10) {
  const gpus = new Set(holdings.flatMap((each) => [...each.gpus]));
  const taken = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus };
  const place = placeOf("m", ["docker"], { ...inventory, gpus: [group] }, taken);
  const heldBy = (account: string) =>
    holdings
      .filter((each) => each.accountId === account)
      .map(heldByWorker)
      .reduce(addHeld, nothingHeld);
  const total = { gpus: GPUS, vcpus: 64, memoryMb: 262_144 };
  const request = { ...anyRequest, diskGb: 0, compute: gpuRequest(["A40"], gpuCount) };
  return decideHandOver(
    { accountId, request },
    { places: [place], holdings },
    { total, heldBy },
    now,
  );
}

const busy = [0, 1, 2, 3].map((n) => worker(`a${n}`, "a", "busy", n, [n]));
const replaced = (n: number, other: Holding) => busy.map((each, at) => (at === n ? other : each));

test("one share of a GPU is handed over where whole GPUs would not be", () => {
  // The account holds two of four shares, and the other one: a fourth of a GPU is what it needs.
  const type = "A40 shared 1/4 12GB";
  const holdings = ["a", "a", "b"].map((account, n) => ({
    ...worker(`${account}${n}`, account, "busy", n, [n]),
    gpuTypeId: type,
    vcpus: 0,
    memoryMb: 0,
  }));
  const taken = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set([0, 1, 2]) };
  const gpus = [{ ...group, gpuTypeId: type, indices: [0, 1, 2] }];
  const place = placeOf("m", ["docker"], { ...inventory, gpus }, taken);
  const heldBy = (account: string) =>
    holdings
      .filter((each) => each.accountId === account)
      .map(heldByWorker)
      .reduce(addHeld, nothingHeld);
  const total = { gpus: 0.75, vcpus: 64, memoryMb: 262_144 };
  const compute = { ...gpuRequest([type], 1), vcpus: 0, memoryMb: 0 };
  const request = { ...anyRequest, diskGb: 0, compute };
  const to = (accountId: string) =>
    decideHandOver({ accountId, request }, { places: [place], holdings }, { total, heldBy }, 10);
  assert.deepEqual([to("c"), to("b")], [["a1"], []]);
});

const rows: [name: string, to: string, holdings: Holding[], gpuCount: number, drained: string][] = [
  ["the newest worker of the account that holds all", "b", busy, 1, "a3"],
  [
    "an idle one before a newer busy one",
    "b",
    replaced(1, worker("i", "a", "idle", 1, [1])),
    1,
    "i",
  ],
  [
    "none while one that leaves makes room",
    "b",
    replaced(0, worker("l", "a", "leaving", 0, [0])),
    1,
    "",
  ],
  ["none of its own", "a", busy, 1, ""],
  ["two for a request of two", "b", busy, 2, "a3,a2"],
  ["none where it would then hold more than the other", "b", busy, 3, ""],
  ["none of workersMin", "b", busy.map((each) => ({ ...each, state: "kept" as const })), 1, ""],
  ["up to equal shares", "b", replaced(0, worker("b0", "b", "busy", 0, [0])), 1, "a3"],
  [
    "none beyond equal shares",
    "b",
    [busy[0]!, busy[1]!, worker("b2", "b", "busy", 2, [2]), worker("b3", "b", "busy", 3, [3])],
    1,
    "",
  ],
];

for (const [name, to, holdings, gpuCount, drained] of rows) {
  test(`a place is handed over: ${name}`, () => {
    assert.deepEqual(handOverTo(to, holdings, gpuCount).sort().reverse().join(), drained);
  });
}

test("an account's last worker is handed over after a slice of time, to one that would hold no more", () => {
  const small = [worker("a0", "a", "busy", 0, [0, 1, 2]), worker("b0", "b", "busy", 0, [3])];
  const rows: [to: string, gpuCount: number, now: number, drained: string][] = [
    ["c", 1, SLICE_MS - 1, ""],
    ["c", 1, SLICE_MS, "a0"],
    ["c", 3, SLICE_MS, "a0"],
    ["c", 4, SLICE_MS, ""],
    ["b", 2, SLICE_MS, "a0"],
    ["b", 3, SLICE_MS, ""],
  ];
  for (const [to, gpuCount, now, drained] of rows)
    assert.deepEqual(handOverTo(to, small, gpuCount, now).join(), drained, `${to} ${gpuCount}`);
});

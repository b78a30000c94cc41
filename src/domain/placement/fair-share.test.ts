import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addHeld,
  aheadInTurn,
  type Contender,
  dominantResource,
  dominantShare,
  firstInTurn,
  heldByWorker,
  nothingHeld,
} from "./fair-share.ts";

const total = { gpus: 8, vcpus: 64, memoryMb: 1_024 };

test("a share is the largest part of any resource", () => {
  const rows: [gpus: number, vcpus: number, memoryMb: number, share: number][] = [
    [0, 0, 0, 0],
    [2, 4, 64, 0.25],
    [0, 32, 64, 0.5],
    [1, 8, 768, 0.75],
    [8, 64, 1_024, 1],
  ];
  for (const [gpus, vcpus, memoryMb, share] of rows)
    assert.equal(dominantShare({ gpus, vcpus, memoryMb }, total), share);
  const noGpus = { ...total, gpus: 0 };
  assert.equal(dominantShare({ gpus: 3, vcpus: 16, memoryMb: 0 }, noGpus), 0.25);
});

test("the dominant resource is the one that makes the share", () => {
  const held = { gpus: 1, vcpus: 32, memoryMb: 64 };
  const noGpus = { ...total, gpus: 0 };
  assert.deepEqual(dominantResource(held, total), { resource: "vcpus", held: 32, total: 64 });
  assert.deepEqual(dominantResource(nothingHeld, total), { resource: "gpus", held: 0, total: 8 });
  assert.deepEqual(dominantResource(nothingHeld, noGpus)?.resource, "vcpus");
  assert.equal(dominantResource(held, nothingHeld), null);
});

test("a share of a GPU counts as its part of one", () => {
  const rows: [gpuTypeId: string, count: number, gpus: number][] = [
    ["NVIDIA A40", 2, 2],
    ["NVIDIA A40 shared 1/4 12GB", 1, 0.25],
    ["NVIDIA A40 shared 1/4 12GB", 4, 1],
    ["NVIDIA A100 MIG 1g.10gb", 1, 1],
  ];
  const held = (gpuTypeId: string, count: number) =>
    heldByWorker({ gpuTypeId, gpus: Array(count).fill(0), vcpus: 0, memoryMb: 0 });
  for (const [id, count, gpus] of rows) assert.equal(held(id, count).gpus, gpus, id);
  const third = held("NVIDIA A40 shared 1/3 16GB", 1);
  const sum = [third, third, third, third, third, third].reduce(addHeld, nothingHeld);
  assert.equal(dominantShare(sum, total), dominantShare({ ...nothingHeld, gpus: 2 }, total));
  assert.deepEqual(dominantResource(third, total), { resource: "gpus", held: 0.33, total: 8 });
});

const contender = (accountId: string, endpointId: string, waitingSince: number | null) => {
  return { accountId, endpointId, waitingSince };
};

test("the next worker goes to the smallest share, and then to the longest wait", () => {
  const rows: [
    name: string,
    contenders: Contender[],
    gpus: Record<string, number>,
    first: string,
  ][] = [
    ["nobody", [], {}, "none"],
    ["the smaller share", [contender("a", "1", 5), contender("b", "2", 90)], { a: 2, b: 1 }, "2"],
    ["the longer wait", [contender("a", "1", 90), contender("b", "2", 5)], { a: 1, b: 1 }, "2"],
    ["a wait before none", [contender("a", "1", null), contender("a", "2", 5)], {}, "2"],
    ["the id, at last", [contender("a", "2", 5), contender("b", "1", 5)], {}, "1"],
  ];
  for (const [name, contenders, gpus, first] of rows) {
    const share = (account: string) => gpus[account] ?? 0;
    assert.equal(firstInTurn(contenders, share)?.endpointId ?? "none", first, name);
  }
});

test("accounts that want more than there is get equal numbers, however much each wants", () => {
  const started = new Map<string, number>();
  const flood = Array.from({ length: 50 }, (_, n) => contender("flood", `f${n}`, 0));
  const contenders = [...flood, contender("small", "s", 1_000)];
  const shareOf = (account: string) => {
    const held = { ...nothingHeld, gpus: started.get(account) ?? 0 };
    return dominantShare(addHeld(nothingHeld, held), total);
  };
  for (let gpu = 0; gpu < total.gpus; gpu++) {
    const { accountId } = firstInTurn(contenders, shareOf)!;
    started.set(accountId, (started.get(accountId) ?? 0) + 1);
  }
  assert.deepEqual(Object.fromEntries(started), { flood: 4, small: 4 });
});

test("an endpoint is behind accounts with a smaller share and endpoints that wait longer", () => {
  const gpus: Record<string, number> = { a: 2, b: 1, c: 3 };
  const own = contender("a", "1", 50);
  const others = [
    contender("a", "2", 10),
    contender("a", "3", 90),
    contender("b", "4", 99),
    contender("c", "5", 1),
  ];
  const ahead = aheadInTurn(own, others, (account) => gpus[account]!);
  assert.deepEqual(
    ahead.map(({ endpointId }) => endpointId),
    ["2", "4"],
  );
});

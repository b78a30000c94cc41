import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Amounts, amountsOf, coverShortage, type Supply } from "./cover.ts";

const rows: [
  name: string,
  shortage: Partial<Amounts>,
  supplies: Partial<Amounts>[],
  found: number[] | null,
][] = [
  ["no shortage", {}, [{ gpus: 1 }], []],
  ["no supplies", { gpus: 1 }, [], null],
  ["insufficient supplies", { gpus: 3 }, [{ gpus: 1 }, { gpus: 1 }], null],
  ["the first of equal supplies", { gpus: 1 }, [{ gpus: 1 }, { gpus: 1 }], [0]],
  ["one sufficient supply instead of two smaller ones", { gpus: 2 }, [1, 1, 2].map(gpus), [2]],
  ["the first sufficient supply, not a larger one", { gpus: 1 }, [1, 8].map(gpus), [0]],
  [
    "two resources from two supplies",
    { gpus: 1, vcpus: 4 },
    [{ gpus: 1 }, { vcpus: 1 }, { vcpus: 4 }],
    [0, 2],
  ],
  [
    "two resources from one supply",
    { gpus: 1, vcpus: 4 },
    [{ gpus: 1 }, { gpus: 1, vcpus: 4 }],
    [1],
  ],
  ["a negative shortage is ignored", { gpus: 1, memoryMb: -9 }, [{ gpus: 1 }], [0]],
];

/** Supplies that free GPUs of their own each. */
function suppliesOf(all: readonly Partial<Amounts>[]): Supply[] {
  return all.map((some, n) => {
    const { gpus: count, ...others } = amountsOf(some);
    return { ...others, gpus: Array.from({ length: count }, (_, each) => n * 100 + each) };
  });
}

function gpus(count: number): Partial<Amounts> {
  return { gpus: count };
}

for (const [name, shortage, supplies, found] of rows) {
  test(`cover: ${name}`, () => {
    assert.deepEqual(coverShortage(amountsOf(shortage), suppliesOf(supplies)), found);
  });
}

test("no smaller set covers the request, and the first of equal size is chosen", () => {
  const amount = fc.record({ gpus: fc.nat(3), vcpus: fc.nat(3) });
  fc.assert(
    fc.property(amount, fc.array(amount, { maxLength: 7 }), (shortage, supplies) => {
      const sets = subsets(supplies.length).filter(
        (set) =>
          sum(set, supplies, "gpus") >= shortage.gpus &&
          sum(set, supplies, "vcpus") >= shortage.vcpus,
      );
      const best = sets.toSorted((a, b) => a.length - b.length || compare(a, b))[0] ?? null;
      assert.deepEqual(coverShortage(amountsOf(shortage), suppliesOf(supplies)), best);
    }),
  );
});

test("no smaller set of holders of shares frees as many GPUs, and the first of equal size is chosen", () => {
  const holder = fc.record({ gpus: fc.uniqueArray(fc.nat(5), { maxLength: 4 }), vcpus: fc.nat(2) });
  fc.assert(
    fc.property(
      fc.record({ gpus: fc.nat(6), vcpus: fc.nat(4) }),
      fc.array(holder, { maxLength: 7 }),
      (shortage, holders) => {
        const gpuCount = (set: number[]) => new Set(set.flatMap((n) => holders[n]!.gpus)).size;
        const sets = subsets(holders.length).filter(
          (set) => gpuCount(set) >= shortage.gpus && sum(set, holders, "vcpus") >= shortage.vcpus,
        );
        const best = sets.toSorted((a, b) => a.length - b.length || compare(a, b))[0] ?? null;
        const supplies = holders.map((each) => ({ ...each, memoryMb: 0, diskGb: 0 }));
        assert.deepEqual(coverShortage(amountsOf(shortage), supplies), best);
      },
    ),
  );
});

test("the search is bounded for hundreds of candidates, and its result covers the request", () => {
  const supplies = Array.from({ length: 300 }, (_, n) =>
    amountsOf({ gpus: 1, vcpus: (n * 7) % 13, memoryMb: (n * 11) % 17, diskGb: (n * 5) % 19 }),
  );
  const shortage = amountsOf({ gpus: 40, vcpus: 400, memoryMb: 560, diskGb: 610 });
  const found = coverShortage(shortage, suppliesOf(supplies))!;
  for (const kind of ["gpus", "vcpus", "memoryMb", "diskGb"] as const) {
    assert.ok(sum(found, supplies, kind) >= shortage[kind]);
  }
});

const sum = <Kind extends string>(set: number[], supplies: Record<Kind, number>[], kind: Kind) =>
  set.reduce((total, n) => total + supplies[n]![kind], 0);

function subsets(size: number): number[][] {
  return Array.from({ length: 2 ** size }, (_, bits) =>
    Array.from({ length: size }, (_, n) => n).filter((n) => bits & (1 << n)),
  );
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((n, k) => n !== b[k]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}

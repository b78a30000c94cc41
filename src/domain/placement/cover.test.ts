import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { covers, type Lack, need } from "./cover.ts";

const rows: [name: string, lack: Partial<Lack>, gives: Partial<Lack>[], found: number[] | null][] =
  [
    ["nothing lacks", {}, [{ gpus: 1 }], []],
    ["nobody gives", { gpus: 1 }, [], null],
    ["too little together", { gpus: 3 }, [{ gpus: 1 }, { gpus: 1 }], null],
    ["the first of equals", { gpus: 1 }, [{ gpus: 1 }, { gpus: 1 }], [0]],
    ["one that gives all before two that give half", { gpus: 2 }, [1, 1, 2].map(gpus), [2]],
    ["no larger one where a smaller will do", { gpus: 1 }, [1, 8].map(gpus), [0]],
    [
      "two kinds from two",
      { gpus: 1, vcpus: 4 },
      [{ gpus: 1 }, { vcpus: 1 }, { vcpus: 4 }],
      [0, 2],
    ],
    ["both kinds from one", { gpus: 1, vcpus: 4 }, [{ gpus: 1 }, { gpus: 1, vcpus: 4 }], [1]],
    ["what is there in plenty is not asked for", { gpus: 1, memoryMb: -9 }, [{ gpus: 1 }], [0]],
  ];

function gpus(count: number): Partial<Lack> {
  return { gpus: count };
}

for (const [name, lack, gives, found] of rows) {
  test(`who covers: ${name}`, () => {
    assert.deepEqual(covers(need(lack), gives.map(need)), found);
  });
}

test("no smaller set would do, and of those as small it has the first", () => {
  const amount = fc.record({ gpus: fc.nat(3), vcpus: fc.nat(3) });
  fc.assert(
    fc.property(amount, fc.array(amount, { maxLength: 7 }), (lack, gives) => {
      const sets = subsets(gives.length).filter(
        (set) => sum(set, gives, "gpus") >= lack.gpus && sum(set, gives, "vcpus") >= lack.vcpus,
      );
      const best = sets.toSorted((a, b) => a.length - b.length || compare(a, b))[0] ?? null;
      assert.deepEqual(covers(need(lack), gives.map(need)), best);
    }),
  );
});

test("hundreds of odd givers are looked at for a bounded time, and what is found will do", () => {
  const gives = Array.from({ length: 300 }, (_, n) =>
    need({ gpus: 1, vcpus: (n * 7) % 13, memoryMb: (n * 11) % 17, diskGb: (n * 5) % 19 }),
  );
  const lack = need({ gpus: 40, vcpus: 400, memoryMb: 560, diskGb: 610 });
  const found = covers(lack, gives)!;
  for (const kind of ["gpus", "vcpus", "memoryMb", "diskGb"] as const) {
    assert.ok(sum(found, gives, kind) >= lack[kind]);
  }
});

const sum = <Kind extends string>(set: number[], gives: Record<Kind, number>[], kind: Kind) =>
  set.reduce((total, n) => total + gives[n]![kind], 0);

function subsets(size: number): number[][] {
  return Array.from({ length: 2 ** size }, (_, bits) =>
    Array.from({ length: size }, (_, n) => n).filter((n) => bits & (1 << n)),
  );
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((n, k) => n !== b[k]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../base/units.ts";
import { cover, coverOfNew, planEnd, planLengthOf, upfrontOf } from "./savings-plan.ts";

const plan = (id: string, gpuCount: number, podId: string | null = null) => {
  return { id, gpuCount, podId };
};
const pod = (id: string, gpus: number) => ({ id, gpus });

test("a plan of three months pays for 2,190 hours of each GPU", () => {
  assert.equal(upfrontOf(590_000, 2, "threeMonth"), 2 * 2_190 * 590_000);
  assert.equal(planEnd(7, "sixMonth"), 7 + 4_380 * HOUR_MS);
});

test("a plan's length is accepted in the forms that clients write", () => {
  for (const text of ["threeMonth", "3 months", "3m", "THREE_MONTHS", "3-month", "3"]) {
    assert.equal(planLengthOf(text), text === "3" ? null : "threeMonth", text);
  }
  assert.equal(planLengthOf("sixMonth"), "sixMonth");
  for (const text of ["", "oneWeek", "12m", "sixteenMonths", "36m"]) {
    assert.equal(planLengthOf(text), null, text);
  }
});

test("a plan stays with its Pod, and then moves to the Pod of which it covers most", () => {
  const table: [ReturnType<typeof plan>[], ReturnType<typeof pod>[], object, object][] = [
    [[plan("p", 1)], [], {}, {}],
    [[plan("p", 1)], [pod("a", 1), pod("b", 1)], { a: 1 }, { p: "a" }],
    [[plan("p", 1, "b")], [pod("a", 1), pod("b", 1)], { b: 1 }, { p: "b" }],
    [[plan("p", 1, "gone")], [pod("a", 1)], { a: 1 }, { p: "a" }],
    [[plan("p", 2)], [pod("a", 1), pod("b", 4)], { b: 2 }, { p: "b" }],
    [[plan("p", 2), plan("q", 4)], [pod("a", 8)], { a: 6 }, { p: "a", q: "a" }],
    [[plan("p", 8), plan("q", 1)], [pod("a", 2), pod("b", 1)], { a: 2, b: 1 }, { p: "a", q: "b" }],
    [[plan("p", 4, "a"), plan("q", 4, "a")], [pod("b", 1), pod("a", 4)], { a: 4, b: 1 }, {}],
  ];
  for (const [plans, pods, covered, podOf] of table) {
    const found = cover(plans, pods);
    assert.deepEqual(Object.fromEntries(found.covered), covered);
    if (Object.keys(podOf).length > 0) assert.deepEqual(Object.fromEntries(found.podOf), podOf);
  }
  assert.equal(coverOfNew([plan("p", 2, "a")], [pod("a", 1)], 2), 0);
  assert.equal(coverOfNew([plan("p", 2, "gone")], [], 1), 1);
});

const ids = fc.constantFrom("a", "b", "c", "d", "e", "f");
const gpus = fc.integer({ min: 1, max: 8 });
const pods = fc.uniqueArray(fc.record({ id: ids, gpus }), { selector: ({ id }) => id });
const plans = fc.uniqueArray(
  fc.record({ id: ids, gpuCount: gpus, podId: fc.option(ids, { nil: null }) }),
  { selector: ({ id }) => id },
);

test("no GPU is covered twice, none is uncovered beside an idle plan, and no plan moves without need", () => {
  fc.assert(
    fc.property(plans, pods, (plans, pods) => {
      const { covered, podOf } = cover(plans, pods);
      for (const { id, gpus } of pods) {
        const count = covered.get(id) ?? 0;
        const paid = plans.filter((each) => podOf.get(each.id) === id);
        assert.equal(count, Math.min(gpus, sum(paid)));
      }
      const idle = plans.filter(({ id }) => !podOf.has(id));
      const bare = pods.filter(({ id, gpus }) => (covered.get(id) ?? 0) < gpus);
      assert.ok(idle.length === 0 || bare.length === 0);
      const settled = plans.map((each) => ({ ...each, podId: podOf.get(each.id) ?? each.podId }));
      assert.deepEqual(cover(settled, pods), { covered, podOf });
    }),
  );
});

const sum = (plans: { gpuCount: number }[]) =>
  plans.reduce((all, { gpuCount }) => all + gpuCount, 0);

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { admitAtRate, defaultBurst, type Pace } from "./rate-limit.ts";

const NOW = 1_800_000_000_000;
const minute: Pace = { limit: 60, period: 60, burst: 1 };

test("jobs enter at an even pace", () => {
  const first = admitAtRate(minute, { nextUs: 0, held: 5 }, NOW);
  assert.deepEqual(first, { admitted: 1, nextUs: (NOW + 1_000) * 1_000, readyAt: NOW + 1_000 });
  const early = admitAtRate(minute, { nextUs: first.nextUs, held: 4 }, NOW + 999);
  assert.deepEqual([early.admitted, early.readyAt], [0, NOW + 1_000]);
  const next = admitAtRate(minute, { nextUs: first.nextUs, held: 4 }, NOW + 1_000);
  assert.deepEqual([next.admitted, next.readyAt], [1, NOW + 2_000]);
});

test("a burst enters at once after a quiet time, and is earned again", () => {
  const pace = { ...minute, burst: 3 };
  const first = admitAtRate(pace, { nextUs: 0, held: 5 }, NOW);
  assert.deepEqual([first.admitted, first.readyAt], [3, NOW + 1_000]);
  const later = admitAtRate(pace, { nextUs: first.nextUs, held: 5 }, NOW + 2_000);
  assert.deepEqual([later.admitted, later.readyAt], [2, NOW + 3_000]);
});

test("a key that was not looked at for an hour admits a burst, not an hour's jobs", () => {
  const { nextUs } = admitAtRate(minute, { nextUs: 0, held: 1 }, NOW);
  assert.equal(admitAtRate(minute, { nextUs, held: 500 }, NOW + 3_600_000).admitted, 1);
});

test("a high rate has a burst of its own", () => {
  const bursts = [
    { limit: 1, period: 60 },
    { limit: 10, period: 1 },
    { limit: 95, period: 1 },
  ];
  assert.deepEqual(bursts.map(defaultBurst), [1, 1, 10]);
});

test("no window of a period has more than limit + burst - 1 jobs", () => {
  const pace = fc.record({
    limit: fc.integer({ min: 1, max: 50 }),
    period: fc.integer({ min: 1, max: 20 }),
    burst: fc.integer({ min: 1, max: 5 }),
  });
  const looks = fc.array(
    fc.record({
      passesMs: fc.integer({ min: 0, max: 5_000 }),
      held: fc.integer({ min: 0, max: 20 }),
    }),
    { minLength: 1, maxLength: 100 },
  );
  fc.assert(
    fc.property(pace, looks, (limits, moments) => {
      let now = NOW;
      let nextUs = 0;
      const entered: number[] = [];
      for (const { passesMs, held } of moments) {
        now += passesMs;
        const decision = admitAtRate(limits, { nextUs, held }, now);
        nextUs = decision.nextUs;
        entered.push(...Array<number>(decision.admitted).fill(now));
        assert.ok(decision.admitted === held || decision.readyAt > now);
      }
      const maxInWindow = limits.limit + limits.burst - 1;
      for (const [i, start] of entered.entries()) {
        const inWindow = entered.slice(i).filter((at) => at < start + limits.period * 1_000);
        assert.ok(
          inWindow.length <= maxInWindow,
          `${inWindow.length} of ${maxInWindow} in a period`,
        );
      }
    }),
  );
});

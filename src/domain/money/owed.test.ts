import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../base/units.ts";
import { leftOver, owed, wholeUnits } from "./owed.ts";

test("an hour costs the rate, to the micro-dollar", () => {
  const interval = { rate: 690_000, beganAt: 17, carry: 0 };
  assert.equal(owed(interval, 17 + HOUR_MS), 690_000);
  assert.equal(owed(interval, 17 + HOUR_MS / 2), 345_000);
  assert.equal(owed(interval, 17), 0);
  assert.equal(owed(interval, 0), 0); // what has not begun costs nothing
});

test("a split cost equals the whole, because remainders are carried over", () => {
  const rate = fc.integer({ min: 0, max: 10_000_000_000 });
  const cuts = fc.array(fc.integer({ min: 0, max: 400 * 24 * HOUR_MS }), { maxLength: 8 });
  fc.assert(
    fc.property(rate, cuts, fc.integer({ min: 0, max: HOUR_MS }), (rate, cuts, last) => {
      let interval = { rate, beganAt: 0, carry: 0 };
      let sum = 0;
      let at = 0;
      for (const cut of cuts) {
        at = interval.beganAt + cut;
        sum += owed(interval, at);
        interval = { rate, beganAt: at, carry: leftOver(interval, at) };
      }
      const end = at + last;
      sum += owed(interval, end);
      assert.equal(BigInt(sum), (BigInt(rate) * BigInt(end)) / BigInt(HOUR_MS));
    }),
  );
});

test("time that is billed by the second is rounded up to a second", () => {
  assert.equal(wholeUnits(500, 500, 1_000), 500);
  assert.equal(wholeUnits(500, 501, 1_000), 1_500);
  assert.equal(wholeUnits(500, 1_500, 1_000), 1_500);
  assert.equal(wholeUnits(500, 1_501, 1_000), 2_500);
  assert.equal(wholeUnits(500, 400, 1_000), 500);
});

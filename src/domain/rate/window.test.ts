import assert from "node:assert/strict";
import { test } from "node:test";
import { admit, type RateWindow } from "./window.ts";

const MS = 10_000;

/** The requests at these instants that are admitted. */
function admitted(limit: number, instants: number[]): boolean[] {
  let window: RateWindow | undefined;
  return instants.map((now) => {
    const step = admit(window, limit, MS, now);
    window = step.window;
    return step.waitMs === null;
  });
}

test("the limit of a window is admitted, and the next request is rejected", () => {
  const instants = [...Array(100).fill(0), 9_999];
  assert.deepEqual(admitted(100, instants), [...Array(100).fill(true), false]);
});

test("requests of the previous window expire gradually", () => {
  const four = [0, 0, 0, 0];
  assert.deepEqual(admitted(4, [...four, 10_000, 12_499, 12_500, 15_000]).slice(4), [
    false,
    false,
    true,
    true,
  ]);
  assert.deepEqual(admitted(4, [...four, 20_000, 20_000]).slice(4), [true, true]);
});

test("a request after the reported wait is admitted, and the wait is not too long", () => {
  for (const limit of [1, 2, 3, 10, 1_000]) {
    for (const first of [0, 3_333, 9_999]) {
      let window: RateWindow | undefined;
      for (let n = 0; n < limit; n++) window = admit(window, limit, MS, first).window;
      const refused = admit(window, limit, MS, first + 1);
      assert.ok(refused.waitMs !== null && refused.waitMs <= 2 * MS);
      const again = admit(refused.window, limit, MS, first + 1 + refused.waitMs);
      assert.equal(again.waitMs, null, `${limit} at ${first}: ${refused.waitMs}`);
    }
  }
});

test("the remaining requests are reported, and a rejected request does not count", () => {
  const one = admit(undefined, 2, MS, 0);
  assert.deepEqual([one.left, one.waitMs], [1, null]);
  const two = admit(one.window, 2, MS, 0);
  const three = admit(two.window, 2, MS, 0);
  assert.deepEqual([two.left, three.left, three.window.count], [0, 0, 2]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { admit, type Window } from "./window.ts";

const MS = 10_000;

/** Instants at which requests come; which of them are let in. */
function admitted(most: number, instants: number[]): boolean[] {
  let window: Window | undefined;
  return instants.map((now) => {
    const step = admit(window, most, MS, now);
    window = step.window;
    return step.waitMs === null;
  });
}

test("as many as there may be in a window are let in, and the next is not", () => {
  const instants = [...Array(100).fill(0), 9_999];
  assert.deepEqual(admitted(100, instants), [...Array(100).fill(true), false]);
});

test("what came before slides out little by little", () => {
  const four = [0, 0, 0, 0];
  assert.deepEqual(admitted(4, [...four, 10_000, 12_499, 12_500, 15_000]).slice(4), [
    false,
    false,
    true,
    true,
  ]);
  assert.deepEqual(admitted(4, [...four, 20_000, 20_000]).slice(4), [true, true]);
});

test("who waits as long as he is told is let in, and not a millisecond too late by much", () => {
  for (const most of [1, 2, 3, 10, 1_000]) {
    for (const first of [0, 3_333, 9_999]) {
      let window: Window | undefined;
      for (let n = 0; n < most; n++) window = admit(window, most, MS, first).window;
      const refused = admit(window, most, MS, first + 1);
      assert.ok(refused.waitMs !== null && refused.waitMs <= 2 * MS);
      const again = admit(refused.window, most, MS, first + 1 + refused.waitMs);
      assert.equal(again.waitMs, null, `${most} at ${first}: ${refused.waitMs}`);
    }
  }
});

test("what is left is told, and a refused request costs nothing", () => {
  const one = admit(undefined, 2, MS, 0);
  assert.deepEqual([one.left, one.waitMs], [1, null]);
  const two = admit(one.window, 2, MS, 0);
  const three = admit(two.window, 2, MS, 0);
  assert.deepEqual([two.left, three.left, three.window.count], [0, 0, 2]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "./clock.ts";
import { MovableClock } from "./movable-clock.ts";

const HOUR = 3_600_000;

function begin() {
  const followed = new VirtualClock(1_000_000);
  const clock = new MovableClock(followed);
  const fired: string[] = [];
  const settle = async () => {};
  const move = (byMs: number, silent = false) =>
    clock.moveTo(clock.now() + byMs, { settle, silent });
  const note = (name: string) => () => fired.push(`${name} ${clock.now() - 1_000_000}`);
  return { followed, clock, fired, move, note };
}

test("time flows with the followed clock, before and after a move", async () => {
  const { followed, clock, fired, move, note } = begin();
  clock.after(500, note("first"));
  await followed.advance(500);
  await move(HOUR);
  assert.equal(clock.now(), 1_000_000 + 500 + HOUR);
  clock.after(500, note("second"));
  await followed.advance(500);
  assert.deepEqual(fired, ["first 500", `second ${HOUR + 1_000}`]);
});

test("a move fires every timer at its instant, in order, also those that others set", async () => {
  const { clock, fired, move, note } = begin();
  clock.after(2 * HOUR, note("late"));
  clock.after(1_234, () => {
    note("early")();
    clock.after(1_000, note("caused"));
  });
  clock.after(9 * HOUR, note("beyond"));
  await move(3 * HOUR);
  assert.deepEqual(fired, ["early 1234", "caused 2234", `late ${2 * HOUR}`]);
});

test("what a timer causes settles before the next one fires", async () => {
  const { clock, fired, note } = begin();
  clock.after(1_000, note("first"));
  clock.after(2_000, note("second"));
  const settle = async () => void fired.push("settled");
  await clock.moveTo(clock.now() + 2_000, { settle, silent: false });
  const between = fired.slice(fired.indexOf("first 1000") + 1, fired.indexOf("second 2000"));
  assert.deepEqual([...new Set(between)], ["settled"]);
});

test("routine timers fire a bounded number of times, and at the end of a move", async () => {
  const { clock, move } = begin();
  let passes = 0;
  let lastAt = 0;
  const pass = () => {
    passes++;
    lastAt = clock.now();
    clock.routine.after(1_000, pass);
  };
  pass();
  await move(365 * 24 * HOUR);
  assert.ok(passes <= 26, `${passes} passes`);
  assert.equal(lastAt, clock.now());
});

test("a rest between two passes ends at once, and loops that wake each other end", async () => {
  const { clock, move } = begin();
  let passes = 0;
  const pass = () => {
    passes++;
    clock.routine.after(20, pass);
  };
  clock.after(1_000, pass);
  await move(1_000);
  assert.ok(passes > 1 && passes < 40, `${passes} passes`);
});

test("a cancelled timer does not fire", async () => {
  const { clock, fired, move, note } = begin();
  const cancel = clock.after(1_000, note("cancelled"));
  clock.after(500, cancel);
  await move(2_000);
  assert.deepEqual(fired, []);
});

test("a move counts as a jump of time unless silence is to count", async () => {
  const { clock, move } = begin();
  await move(HOUR, true);
  assert.equal(clock.jumpedTo, 0);
  await move(HOUR);
  assert.equal(clock.jumpedTo, clock.now());
});

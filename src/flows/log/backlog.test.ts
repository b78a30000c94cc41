import assert from "node:assert/strict";
import { test } from "node:test";
import { Backlog } from "./backlog.ts";
import type { LoggedLine } from "./read.ts";

const line = (n: number, length = 0): LoggedLine => {
  return { type: "container", at: n, text: `${n}`.padEnd(length, "x"), mark: `${n}` };
};
const lines = (from: number, to: number, length = 0) =>
  Array.from({ length: to - from }, (_, n) => line(from + n, length));

test("a fast reader gets every line in order, then the end", async () => {
  const backlog = new Backlog();
  backlog.add(lines(0, 3));
  assert.deepEqual(await backlog.take(), lines(0, 3));
  const waiting = backlog.take();
  backlog.add(lines(3, 4));
  assert.deepEqual(await waiting, lines(3, 4));
  backlog.add(lines(4, 5));
  backlog.end();
  assert.deepEqual(await backlog.take(), lines(4, 5));
  assert.equal(await backlog.take(), null);
});

test("a slow reader loses the oldest lines and gets their number", async () => {
  const backlog = new Backlog();
  for (let n = 0; n < 20_000; n += 100) backlog.add(lines(n, n + 100));
  const [first, ...rest] = (await backlog.take())!;
  assert.deepEqual(first, { type: "lost", count: 15_000 });
  assert.deepEqual(rest, lines(15_000, 20_000));
  backlog.add([line(1)]);
  assert.deepEqual(await backlog.take(), [line(1)]);
});

test("long lines count by length, and the newest line is always kept", async () => {
  const backlog = new Backlog();
  backlog.add(lines(0, 100, 65_536));
  const [first, ...rest] = (await backlog.take())!;
  assert.deepEqual(first, { type: "lost", count: 84 });
  assert.deepEqual(rest, lines(84, 100, 65_536));
  backlog.add([line(0), line(1, 3_000_000)]);
  assert.deepEqual(await backlog.take(), [{ type: "lost", count: 1 }, line(1, 3_000_000)]);
});

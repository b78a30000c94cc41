import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldTakes } from "./held-takes.ts";

/** A source that blocks as a real one does: one blocking fetch ends when an item arrives. */
function source() {
  const items: string[] = [];
  let wake: (() => void) | undefined;
  return {
    put(...added: string[]) {
      items.push(...added);
      wake?.();
    },
    async fetch(block: boolean): Promise<string | undefined> {
      if (block && items.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return items.shift();
    },
  };
}

function hold() {
  let hangUp = () => {};
  const whenGone = (callback: () => void) => {
    hangUp = callback;
  };
  return { ms: 60_000, whenGone, hangUp: () => hangUp() };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a burst reaches every poll that waits", async () => {
  const { put, fetch } = source();
  const takes = new HeldTakes<string>(fetch);
  const held = [1, 2, 3].map(() => takes.take(hold()));
  await settle();
  put("a", "b", "c");
  assert.deepEqual((await Promise.all(held)).toSorted(), ["a", "b", "c"]);
});

test("what arrives after the poll hung up goes to the next take", async () => {
  const { put, fetch } = source();
  const takes = new HeldTakes<string>(fetch);
  const gone = hold();
  const held = takes.take(gone);
  await settle();
  gone.hangUp();
  assert.equal(await held, undefined);
  put("a");
  await settle();
  assert.equal(await takes.take(hold()), "a");
});

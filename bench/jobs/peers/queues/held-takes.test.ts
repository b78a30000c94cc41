import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldTakes } from "./held-takes.ts";

/** A source like a real one: an arriving item ends one blocking fetch. */
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
  let close = () => {};
  const onClose = (callback: () => void) => {
    close = callback;
  };
  return { ms: 60_000, onClose, close: () => close() };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a burst of items reaches every held poll", async () => {
  const { put, fetch } = source();
  const takes = new HeldTakes<string>(fetch);
  const taken = [1, 2, 3].map(() => takes.take(hold()));
  await settle();
  put("a", "b", "c");
  assert.deepEqual((await Promise.all(taken)).toSorted(), ["a", "b", "c"]);
});

test("an item that arrives after its poll was closed goes to the next take", async () => {
  const { put, fetch } = source();
  const takes = new HeldTakes<string>(fetch);
  const closed = hold();
  const taken = takes.take(closed);
  await settle();
  closed.close();
  assert.equal(await taken, undefined);
  put("a");
  await settle();
  assert.equal(await takes.take(hold()), "a");
});

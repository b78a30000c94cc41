import assert from "node:assert/strict";
import { test } from "node:test";
import { ItemsText, readItems } from "./items-text.ts";

test("items are read as they were written, in slices between which other work runs", async () => {
  const items = new ItemsText();
  const input = Buffer.from(JSON.stringify({ text: "x".repeat(1_100_000) }));
  for (let n = 0; n < 12; n++) items.add({ policy: { priority: n }, input });
  const text = items.end().subarray(0);
  for (const first of [0, 10, 12]) {
    let isRead = false;
    let passes = 0;
    const count = () => {
      passes++;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    const priorities: (number | undefined)[] = [];
    for await (const item of readItems(text, first)) {
      assert.ok(item.input.equals(input));
      priorities.push(item.policy.priority);
    }
    isRead = true;
    assert.deepEqual(
      priorities,
      Array.from({ length: 12 - first }, (_, n) => first + n),
    );
    assert.ok(passes >= 8, `${passes} passes`);
  }
});

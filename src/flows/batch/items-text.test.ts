import assert from "node:assert/strict";
import { test } from "node:test";
import { countPasses } from "../../../test/fixtures/time/count-passes.ts";
import { ItemsText, readItems } from "./items-text.ts";

test("items are read as they were written, in slices between which other work runs", async () => {
  const items = new ItemsText();
  const input = Buffer.from(JSON.stringify({ text: "x".repeat(1_100_000) }));
  for (let n = 0; n < 12; n++) items.add({ policy: { priority: n }, input });
  const text = items.end().subarray(0);
  for (const first of [0, 10, 12]) {
    const priorities: (number | undefined)[] = [];
    const passes = await countPasses(async () => {
      for await (const item of readItems(text, first)) {
        assert.ok(item.input.equals(input));
        priorities.push(item.policy.priority);
      }
    });
    assert.deepEqual(
      priorities,
      Array.from({ length: 12 - first }, (_, n) => first + n),
    );
    assert.ok(passes >= 8, `${passes} passes`);
  }
});

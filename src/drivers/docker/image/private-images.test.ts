import assert from "node:assert/strict";
import { test } from "node:test";
import { PrivateImages } from "./private-images.ts";

test("verified accesses are forgotten beyond a bound, the first ones first", async () => {
  const marks = { areMarked: async () => true, mark: async () => {}, markId: async () => {} };
  const images = new PrivateImages(marks);
  const imageOf = (n: number) => ({ id: `sha256:${n}`, names: [] });
  const puller = { account: "a", auth: { username: "u", password: "p" } };
  for (let n = 0; n <= 1_000; n++) await images.markPulled("acme/llm:1", imageOf(n), puller);
  const mayUse = (n: number) => images.mayUse("acme/llm:1", imageOf(n), puller);
  assert.deepEqual([await mayUse(0), await mayUse(1), await mayUse(1_000)], [false, true, true]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readOnce } from "./page-asset.ts";

test("a read that failed is repeated, and one that succeeded is kept", async () => {
  let reads = 0;
  const read = readOnce(async () => {
    reads++;
    if (reads === 1) throw new Error("too many open files");
    return reads;
  });
  const first = await Promise.allSettled([read(), read()]);
  assert.deepEqual(
    first.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(await read(), 2);
  assert.equal(await read(), 2);
});

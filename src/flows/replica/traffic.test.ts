import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { Traffic } from "./traffic.ts";

test("bytes of a stream without counters are counted both ways, also after it closed", async () => {
  const traffic = new Traffic();
  const [near, far] = duplexPair();
  traffic.watch("p", near);
  near.write("hello");
  far.write(Buffer.alloc(100));
  near.resume();
  assert.equal(String(far.read()), "hello");
  assert.equal(traffic.bytesOf("p"), 105);
  const closed = new Promise((resolve) => near.once("close", resolve));
  near.destroy();
  await closed;
  assert.equal(traffic.bytesOf("p"), 105);
  traffic.keep(new Set());
  assert.equal(traffic.bytesOf("p"), 0);
});

import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import type { Execution } from "../../drivers/driver.ts";
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

test("lines are said between what a terminal writes, and not once it has ended", async () => {
  const traffic = new Traffic();
  const { promise: more, resolve: write } = Promise.withResolvers<void>();
  async function* output() {
    yield { output: "stdout" as const, bytes: Buffer.from("first") };
    await more;
    yield { output: "stdout" as const, bytes: Buffer.from("second") };
  }
  const execution = { output: output() } as unknown as Execution;
  traffic.say("p", "before it opened");
  const pieces = traffic.watchTerminal("p", execution).output[Symbol.asyncIterator]();
  const text = async () => {
    const { value, done } = await pieces.next();
    return done ? null : String(value.bytes);
  };
  assert.equal(await text(), "first");
  const said = text();
  traffic.say("other", "of another Pod");
  traffic.say("p", "it stops\u001b[2J soon");
  assert.equal(await said, "\r\n*** it stops [2J soon\r\n");
  write();
  assert.equal(await text(), "second");
  assert.equal(await text(), null);
  traffic.say("p", "too late");
});

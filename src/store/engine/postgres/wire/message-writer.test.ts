// The bytes that the message writer produces.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MessageWriter } from "./message-writer.ts";

/** The messages of a batch: each one's letter and what follows its length. */
function messages(batch: Buffer): [string, Buffer][] {
  const found: [string, Buffer][] = [];
  for (let at = 0; at < batch.length; ) {
    const end = at + 1 + batch.readInt32BE(at + 1);
    found.push([String.fromCharCode(batch[at]!), batch.subarray(at + 5, end)]);
    at = end;
  }
  return found;
}

/** The values in a bind message for the statement "s". */
function bound(body: Buffer): (Buffer | null)[] {
  assert.equal(body.toString("latin1", 0, 3), "\0s\0");
  const count = body.readInt16BE(3);
  let at = 5 + 2 * count + 2;
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return body.subarray(at - length, at);
  });
}

test("bound values are written unchanged, for a batch of any size", () => {
  const writer = new MessageWriter();
  const value = fc.oneof(
    fc.constant(null),
    fc.string({ unit: "binary" }),
    fc.integer({ min: 0, max: 150_000 }).map((length) => "é".repeat(length)),
    fc.integer({ min: 0, max: 150_000 }).map((length) => Buffer.alloc(length, 7)),
  );
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 5 }), { maxLength: 8 }), (runs) => {
      writer.begin();
      writer.prepare("s", "select 1");
      for (const values of runs) writer.run("s", values);
      const sent = messages(writer.end());
      const kinds = sent.map(([kind]) => kind).join("");
      assert.equal(kinds, `PD${"BE".repeat(runs.length)}S`);
      const binds = sent.filter(([kind]) => kind === "B").map(([, body]) => bound(body));
      const desired = runs.map((values) =>
        values.map((each) => (each === null ? null : Buffer.from(each as string))),
      );
      assert.deepEqual(binds, desired);
    }),
    { numRuns: 50 },
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromStored, toStored } from "./text.ts";

test("any text comes back as it was, and none holds what PostgreSQL refuses", () => {
  const part = fc.oneof(
    fc.constantFrom("\0", "\u{10FFFF}", "0", "1"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join("");
      assert.ok(!toStored(text).includes("\0"));
      assert.equal(fromStored(toStored(text)), text);
    }),
  );
});

// Tests of lenient scanning, which reads non-finite numbers as null.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { faultOf, lenient, scanInChunks } from "../../../test/fixtures/json-scan.ts";
import { scan } from "./scanner.ts";

const read = (text: string) => scan(Buffer.from(text), lenient);

describe("lenient reading", () => {
  it("reads Python's tokens for non-finite numbers as null", () => {
    const text = '{"output": [NaN,-Infinity , Infinity,1,"NaN"],"input":-Infinity,"z":NaN}';
    for (const sizes of [[text.length], [1], [2], [5], [9, 4]]) {
      const { members, body, bytes } = scanInChunks(Buffer.from(text), sizes, lenient);
      const output = body.cut(members.get("output")!).toString();
      assert.equal(output, '[null,null , null,1,"NaN"]');
      const input = members.get("input")!;
      assert.equal(input.kind, "null");
      assert.equal(body.cut(input).toString(), "null");
      assert.equal(bytes, text.length);
    }
    const top = read("NaN");
    assert.equal(top.body.cut(top).toString(), "null");
  });

  it("refuses other text at its position in the received bytes", () => {
    assert.equal(faultOf(() => read("[NaN,NaN,-Infinity,nope]"))?.offset, 20);
    for (const text of [
      "nan",
      "Inf",
      "-NaN",
      "NaNN",
      "+Infinity",
      "-infinity",
      "N",
      "-I",
      "{NaN:1}",
    ]) {
      assert.ok(
        faultOf(() => read(text)),
        text,
      );
    }
  });

  it("equals a replacement of the tokens in the text", () => {
    const token = fc.constantFrom("NaN", "Infinity", "-Infinity", "-1", "0", '"NaN"', "null");
    const filler = fc.constantFrom("", " ", "\n".repeat(100));
    const list = fc.array(fc.tuple(filler, token), { maxLength: 300 });
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(list, sizes, (items, chunks) => {
        const text = `[${items.map(([space, word]) => space + word).join(",")}]`;
        const scanned = scanInChunks(Buffer.from(text), chunks, lenient);
        const nulls = items.map(([, word]) => (/^-?[NI]/.test(word) ? null : JSON.parse(word)));
        assert.deepEqual(JSON.parse(scanned.body.cut(scanned).toString()), nulls);
      }),
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Piece, splitJson } from "./split.ts";

const split = (text: string, maxBytes: number) => [...splitJson(text, maxBytes)];

/** What a reader makes of the pieces of one value of the given kind. */
function join(pieces: Piece[], like: unknown): unknown {
  const values = pieces.map(({ text }) => JSON.parse(text));
  if (typeof like === "string") return values.join("");
  if (!Array.isArray(like)) return JSON.parse(values.join(""));
  return pieces.flatMap(({ part }, k) => {
    if (part === undefined) return values[k];
    if (part.part < part.of) return [];
    return [JSON.parse(values.slice(k + 1 - part.of, k + 1).join(""))];
  });
}

const texts = (pieces: Piece[]) => pieces.map(({ text }) => text);

describe("splitting a value", () => {
  it("leaves alone what is small enough", () => {
    assert.deepEqual(split('{"a": "ä"}', 14), [{ text: '{"a": "ä"}' }]);
    assert.deepEqual(split(`  1 ${" ".repeat(20)}`, 14), [{ text: "1" }]);
    assert.deepEqual(split(`[${" ".repeat(20)}]`, 14), [{ text: "[]" }]);
  });

  it("cuts a string between code points, never in an escape or a pair", () => {
    assert.deepEqual(texts(split('"0123456789abcdef"', 14)), ['"0123456789ab"', '"cdef"']);
    assert.deepEqual(texts(split('"0123456789ä\u{1f600}"', 14)), ['"0123456789ä"', '"\u{1f600}"']);
    assert.deepEqual(texts(split('"0123456789a\u{1f600}"', 14)), ['"0123456789a"', '"\u{1f600}"']);
    assert.deepEqual(texts(split('"0123456789a\\n"', 14)), ['"0123456789a"', '"\\n"']);
    assert.deepEqual(texts(split('"012345\\uD83D\\uDE00"', 14)), ['"012345"', '"\\uD83D\\uDE00"']);
    assert.deepEqual(texts(split('"01234\\uD83D\\uDE00"', 14)), ['"01234"', '"\\uD83D\\uDE00"']);
    assert.deepEqual(texts(split('"012345\\uDBff\\udc00"', 14)), ['"012345"', '"\\uDBff\\udc00"']);
    assert.deepEqual(texts(split('"012345\\ud83d\\ud83d"', 14)), ['"012345"', '"\\ud83d\\ud83d"']);
    assert.deepEqual(texts(split('"\\ud83d0123456789"', 14)), ['"\\ud83d012345"', '"6789"']);
  });

  it("cuts an array between elements", () => {
    assert.deepEqual(texts(split("[100, 200, [3,4], 5]", 14)), ["[100, 200]", "[ [3,4], 5]"]);
    assert.deepEqual(texts(split('[["],["],{"a":[1]}]', 14)), ['[["],["]]', '[{"a":[1]}]']);
  });

  it("sends an element that is too large by itself as parts of its text", () => {
    assert.deepEqual(split('[1,"0123456789abcd",2,3]', 14), [
      { text: "[1]" },
      { text: '"\\"0123456789"', part: { part: 1, of: 2 } },
      { text: '"abcd\\""', part: { part: 2, of: 2 } },
      { text: "[2,3]" },
    ]);
    assert.deepEqual(texts(split(`[1,${" ".repeat(20)}2]`, 14)), ["[1]", "[2]"]);
  });

  it("sends any other value as numbered parts of its text", () => {
    assert.deepEqual(split('{"k":\n"0123456"}', 14), [
      { text: '"{\\"k\\":\\n\\"0"', part: { part: 1, of: 2 } },
      { text: '"123456\\"}"', part: { part: 2, of: 2 } },
    ]);
    assert.deepEqual(texts(split("12345678901234567890", 14)), ['"123456789012"', '"34567890"']);
  });

  it("comes to an end with text that is not JSON", () => {
    for (const text of ['["0123456789abcdef', "[[[[[[[[[[[[[[[[", '"\\x0123456789abcdef"']) {
      assert.throws(() => split(text, 14), TypeError);
    }
  });

  it("refuses a limit that no piece could keep", () => {
    assert.throws(() => split("1", 13), RangeError);
  });
});

describe("properties of splitting", () => {
  const value = fc.oneof(
    fc.jsonValue({ stringUnit: "binary" }),
    fc.array(fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme" })),
    fc.string({ unit: "binary", minLength: 10 }),
  );
  const ascii = (text: string) =>
    text.replace(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const spelling = fc.constantFrom(
    (of: unknown) => JSON.stringify(of),
    (of: unknown) => JSON.stringify(of, null, 2),
    (of: unknown) => ascii(JSON.stringify(of)),
  );

  it("no piece is larger than allowed, and joining them gives the value back", () => {
    fc.assert(
      fc.property(
        value,
        spelling,
        fc.integer({ min: 14, max: 60 }),
        (original, spell, maxBytes) => {
          const text = spell(original);
          const pieces = split(text, maxBytes);
          for (const piece of pieces) assert.ok(Buffer.byteLength(piece.text) <= maxBytes);
          const fits = Buffer.byteLength(text) <= maxBytes;
          assert.ok(!fits || pieces.length === 1);
          const joined = pieces.length === 1 ? JSON.parse(pieces[0]!.text) : join(pieces, original);
          assert.deepEqual(joined, JSON.parse(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("no piece of a string holds half of a code point", () => {
    const text = fc.string({ unit: "binary", minLength: 10 });
    fc.assert(
      fc.property(text, spelling, fc.integer({ min: 14, max: 40 }), (original, spell, maxBytes) => {
        for (const piece of split(spell(original), maxBytes)) {
          assert.ok(JSON.parse(piece.text).isWellFormed());
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("parts are numbered from the first to the last", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), (original) => {
        let before: Piece["part"];
        for (const { part } of split(JSON.stringify(original), 16)) {
          if (before !== undefined && before.part < before.of) {
            assert.deepEqual(part, { part: before.part + 1, of: before.of });
          } else if (part !== undefined) {
            assert.equal(part.part, 1);
          }
          before = part;
        }
        assert.equal(before?.part, before?.of);
      }),
    );
  });
});

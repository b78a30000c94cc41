// Property tests of the scanner against JSON.parse and buffer.isUtf8, for any text and any chunks.
import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { describe, it } from "node:test";
import fc from "fast-check";
import { faultOf, options, scanInChunks } from "../../../test/fixtures/json-scan.ts";
import { KeyTable } from "./keys.ts";
import { scan } from "./scanner.ts";

/** The same JSON with every non-ASCII character escaped. */
function asciiOnly(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

describe("compared with JSON.parse", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 });
  const byParse = (text: string) => {
    try {
      return { value: JSON.parse(text) as unknown };
    } catch {
      return undefined;
    }
  };

  /** Reading at once and in chunks must agree, including the error's message. */
  function check(bytes: Buffer, chunks: number[]): boolean {
    const whole = faultOf(() => scan(bytes, options));
    const parts = faultOf(() => scanInChunks(bytes, chunks));
    assert.equal(parts?.message, whole?.message);
    assert.equal(parts?.offset, whole?.offset);
    return whole === undefined;
  }

  it("accepts the texts that JSON.parse accepts, and finds the same members", () => {
    const key = fc.oneof(
      fc.constantFrom("input", "output", "__proto__"),
      fc.string({ unit: "binary" }),
    );
    const entries = fc.array(fc.tuple(key, fc.jsonValue({ maxDepth: 5 })), { maxLength: 8 });
    const indent = fc.constantFrom(undefined, 1, "\t");
    const escaped = fc.boolean();
    fc.assert(
      fc.property(entries, indent, escaped, sizes, (pairs, space, ascii, chunks) => {
        const plain = JSON.stringify(Object.fromEntries(pairs), null, space);
        const text = ascii ? asciiOnly(plain) : plain;
        const names = [...new Set(pairs.map(([name]) => name))];
        const others = names.filter((_, n) => n % 2 === 1);
        const keys = new KeyTable(names.filter((name) => !others.includes(name)));
        const scanOptions = { maxDepth: 64, keys };
        const { members, otherKeys, body } = scanInChunks(Buffer.from(text), chunks, scanOptions);
        assert.deepEqual(scan(Buffer.from(text), scanOptions).members, members);
        const parsed = new Map(Object.entries(JSON.parse(text)));
        const found = otherKeys.map((span) => JSON.parse(body.cut(span).toString()));
        assert.deepEqual(new Set(found), new Set(others));
        assert.deepEqual(new Set([...members.keys(), ...others]), new Set(parsed.keys()));
        for (const [name, member] of members) {
          assert.deepEqual(JSON.parse(body.cut(member).toString()), parsed.get(name));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("refuses the texts that JSON.parse refuses, among texts that are almost JSON", () => {
    const bit = fc.constantFrom(
      ...'{}[],:" \n\\-+.eE0123tfnu/x\u0001ä\u{1f600}',
      ...['"a"', '"input":', "true", "null", "false", "1.5e-3", "\\u00", "\\ud83d", "d8", "-0"],
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 12 }), sizes, (bits, chunks) => {
        const text = bits.join("");
        assert.equal(check(Buffer.from(text), chunks), byParse(text) !== undefined, text);
      }),
      { numRuns: 5000 },
    );
  });

  it("refuses the texts that JSON.parse refuses, among JSON with one changed byte", () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(
        fc.json({ stringUnit: "binary" }),
        change,
        sizes,
        (json, [place, byte], chunks) => {
          const bytes = Buffer.from(json);
          bytes[place % bytes.length] = byte;
          const valid = isUtf8(bytes) && byParse(bytes.toString()) !== undefined;
          assert.equal(check(bytes, chunks), valid);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("accepts the same UTF-8 in strings as buffer.isUtf8", () => {
    const byte = fc.oneof(
      fc.integer({ min: 0x7f, max: 0xff }),
      fc.constantFrom(0xc2, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf),
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 6 }), sizes, (middle, chunks) => {
        const bytes = Buffer.from([0x22, ...middle, 0x22]);
        assert.equal(check(bytes, chunks), isUtf8(bytes));
      }),
      { numRuns: 5000 },
    );
  });
});

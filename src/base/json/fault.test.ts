// Tests of the errors for malformed bodies.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faultOf, options, scanInChunks } from "../../../test/fixtures/json-scan.ts";
import { scan } from "./scanner.ts";

describe("a malformed body", () => {
  const table: [string, string][] = [
    ["", "it is empty"],
    [" \n", "it ends too early, at byte 2"],
    ['{"a":1', "it ends too early, at byte 6"],
    ['"abc', "it ends too early, at byte 4"],
    ['"\\u12', "it ends too early, at byte 5"],
    ["-", "it ends too early, at byte 1"],
    ["1.", "it ends too early, at byte 2"],
    ["1e+", "it ends too early, at byte 3"],
    ["tru", "it ends too early, at byte 3"],
    ["[1,2", "it ends too early, at byte 4"],
    ['{"input"', "it ends too early, at byte 8"],
    ['{"inp', "it ends too early, at byte 5"],
    ['{"a":1 "b":2}', 'expected "," or "}" at byte 7'],
    ["[1 2]", 'expected "," or "]" at byte 3'],
    ["[1}", 'expected "," or "]" at byte 2'],
    ['{"a":1]', 'expected "," or "}" at byte 6'],
    ['{"a" 1}', 'expected ":" at byte 5'],
    ["{a:1}", 'expected a key in double quotes or "}" at byte 1'],
    ['{"a":1,}', "expected a key in double quotes at byte 7"],
    ["[1,]", "expected a value at byte 3"],
    ["[,1]", 'expected a value or "]" at byte 1'],
    ['{"a":}', "expected a value at byte 5"],
    ["]", "expected a value at byte 0"],
    ["}", "expected a value at byte 0"],
    ["'a'", "expected a value at byte 0"],
    ["input=1", "expected a value at byte 0"],
    ["undefined", "expected a value at byte 0"],
    ["trux", "expected true at byte 3"],
    ["nul}", "expected null at byte 3"],
    ["NaN", "expected a value at byte 0"],
    ["-Infinity", "expected a digit at byte 1"],
    ["+1", "expected a value at byte 0"],
    ["01", "expected nothing after the value at byte 1"],
    ["1.e5", "expected a digit at byte 2"],
    ["[1.5.5]", 'expected "," or "]" at byte 4'],
    ["[1e5e5]", 'expected "," or "]" at byte 4'],
    ["[1e5.5]", 'expected "," or "]" at byte 4'],
    [".5", "expected a value at byte 0"],
    ["1ex", "expected a digit at byte 2"],
    ["0x10", "expected nothing after the value at byte 1"],
    ["{} {}", "expected nothing after the value at byte 3"],
    ["/**/1", "expected a value at byte 0"],
    ['"a\nb"', "expected an escape for the control character at byte 2"],
    ['"\\x41"', "expected an escape such as \\n or \\u000a at byte 2"],
    ['"\\u00g0"', "expected an escape such as \\n or \\u000a at byte 5"],
    ["\ufeff\ufeff1", "expected a value at byte 3"],
    [" \ufeff1", "expected a value at byte 1"],
    ["\u00a01", "expected a value at byte 0"],
  ];

  for (const [text, sentence] of table) {
    it(`${JSON.stringify(text)} is refused wherever it is split`, () => {
      const bytes = Buffer.from(text);
      for (const sizes of [[bytes.length || 1], [1], [2], [3, 1]]) {
        const fault = faultOf(() => scanInChunks(bytes, sizes));
        assert.equal(fault?.message, `the body is not valid JSON: ${sentence}`);
        assert.equal(fault?.code, "invalid_json");
      }
    });
  }

  it("is refused at the first byte that is not UTF-8", () => {
    const table: [number[], number][] = [
      [[0x80], 0],
      [[0xc0, 0x80], 0],
      [[0xc1, 0xbf], 0],
      [[0xc3, 0x22], 1],
      [[0xe0, 0x9f, 0xbf], 1],
      [[0xed, 0xa0, 0x80], 1],
      [[0xe2, 0x82, 0x22], 2],
      [[0xf0, 0x8f, 0xbf, 0xbf], 1],
      [[0xf4, 0x90, 0x80, 0x80], 1],
      [[0xf0, 0x9f, 0x98, 0x22], 3],
      [[0xf5, 0x80, 0x80, 0x80], 0],
      [[0xff], 0],
    ];
    for (const [wrong, at] of table) {
      const bytes = Buffer.from([0x22, ...wrong, 0x22]);
      for (const sizes of [[bytes.length], [1]]) {
        const fault = faultOf(() => scanInChunks(bytes, sizes));
        assert.equal(fault?.offset, 1 + at);
        assert.match(fault?.message ?? "", /expected valid UTF-8/);
      }
    }
  });

  it("is refused if it nests too deep", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    assert.equal(scan(Buffer.from(nested(64)), options).kind, "array");
    const fault = faultOf(() => scan(Buffer.from(nested(65)), options));
    assert.equal(fault?.code, "too_deep");
    assert.equal(fault?.message, "the body nests deeper than 64 levels, at byte 64");
    assert.equal(
      faultOf(() => scan(Buffer.from('{"a":'.repeat(1_000_000)), options))?.code,
      "too_deep",
    );
  });
});

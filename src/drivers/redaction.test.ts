// Tests of the removal of secret values from text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { redactorOf } from "./redaction.ts";

const cases: [what: string, secrets: string[], text: string, redacted: string][] = [
  ["nothing", [], "as it is", "as it is"],
  ["a value", ["hunter2"], "A=hunter2 B=hunter2", "A=[redacted] B=[redacted]"],
  ["a value within another", ["abc", "abcdef"], "abcdef abc", "[redacted] [redacted]"],
  ["an escaped value", ['a"b'], 'invalid: "A=a\\"b"', 'invalid: "A=[redacted]"'],
  ["an encoded value", ["a b/c"], "GET /?p=a%20b%2Fc", "GET /?p=[redacted]"],
  ["a line of a value", ["first line\nsecond line"], "got second line", "got [redacted]"],
  ["an empty value", [""], "as it is", "as it is"],
];

for (const [what, secrets, text, redacted] of cases) {
  test(`removes ${what}`, () => assert.equal(redactorOf(secrets)(text), redacted));
}

// Tests of the extracted input text against JSON.parse of the complete reply.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rawInputs } from "./raw-input.ts";

test("the text of each input parses to the input", () => {
  const jobs = fc.array(fc.record({ id: fc.string(), input: fc.jsonValue(), x: fc.jsonValue() }));
  fc.assert(
    fc.property(jobs, fc.constantFrom(0, 2, "\t"), (list, indent) => {
      const text = JSON.stringify(list, null, indent);
      const expected = (JSON.parse(text) as { input: unknown }[]).map(({ input }) => input);
      assert.deepEqual(
        rawInputs(text).map((input) => JSON.parse(input)),
        expected,
      );
    }),
  );
});

test("a single job, an escaped key, a repeated key, no key, brackets in strings", () => {
  assert.deepEqual(rawInputs(' {"input":1e400}\n'), ["1e400"]);
  assert.deepEqual(rawInputs('{"inp\\u0075t": 1 , "id":"a"}'), ["1"]);
  assert.deepEqual(rawInputs('{"input":1,"input":{"input":2}}'), ['{"input":2}']);
  assert.deepEqual(rawInputs('{"id":"a"}'), ["null"]);
  assert.deepEqual(rawInputs('[{"x":"]}\\"","input":"[{\\\\"},{}]'), ['"[{\\\\"', "null"]);
});

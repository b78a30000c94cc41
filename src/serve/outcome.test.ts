// Tests of the bodies for the values that handlers return or throw.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bodyOfResult, bodyOfStream, describeThrown, encode, errorYielded } from "./outcome.ts";

class WithToJson {
  error = "not for the wire";
  toJSON() {
    return "itself";
  }
}

const examples: [unknown, string][] = [
  ["text", '{"output":"text"}'],
  [7, '{"output":7}'],
  [false, '{"output":false}'],
  [[], '{"output":[]}'],
  [[{ error: "x" }], '{"output":[{"error":"x"}]}'],
  [null, '{"output":null}'],
  [undefined, '{"output":null}'],
  [Number.NaN, '{"output":null}'],
  [{ a: 1 }, '{"output":{"a":1}}'],
  [{}, "{}"],
  [{ error: "x" }, '{"error":"x"}'],
  [{ error: { code: 1 } }, '{"error":{"code":1}}'],
  [{ error: "x", a: 1 }, '{"output":{"a":1},"error":"x"}'],
  [{ error: "", a: 1 }, '{"output":{"a":1}}'],
  [{ refresh_worker: true, a: 1 }, '{"output":{"a":1},"stopPod":true}'],
  [{ refresh_worker: false, a: 1 }, '{"output":{"a":1}}'],
  [{ refresh_worker: true, error: "x" }, '{"error":"x","stopPod":true}'],
  [JSON.parse('{"__proto__":{"a":1}}'), '{"output":{"__proto__":{"a":1}}}'],
  [new Date(0), '{"output":"1970-01-01T00:00:00.000Z"}'],
  [new WithToJson(), '{"output":"itself"}'],
];

for (const [returned, body] of examples) {
  test(`${JSON.stringify(returned)} becomes ${body}`, () => {
    assert.equal(bodyOfResult(returned, false), body);
  });
}

test("the option refreshWorker sets stopPod in every body", () => {
  assert.equal(bodyOfResult({}, true), '{"stopPod":true}');
  assert.equal(bodyOfResult("a", true), '{"output":"a","stopPod":true}');
  assert.equal(bodyOfStream(["1", '"b"'], true), '{"output":[1,"b"],"stopPod":true}');
});

test("any JSON value arrives unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const returned = { value };
      assert.deepEqual(
        JSON.parse(bodyOfResult(returned, false)).output,
        JSON.parse(encode(returned)),
      );
    }),
  );
});

test("a value without a JSON form throws", () => {
  for (const value of [1n, () => 1, Symbol("s")]) assert.throws(() => encode(value), TypeError);
});

test("any thrown value is described", () => {
  const describe = (thrown: unknown) => {
    const text = describeThrown(thrown, { hostname: "h", workerId: "w" });
    const { error_type, error_message } = JSON.parse(text);
    return [error_type, error_message];
  };
  class Odd extends Error {}
  assert.deepEqual(describe(new Odd("a")), ["Odd", "a"]);
  assert.deepEqual(describe(new DOMException("b", "AbortError")), ["AbortError", "b"]);
  assert.deepEqual(describe("c"), ["Error", "c"]);
  assert.deepEqual(describe(Object.create(null)), ["Error", "[Object: null prototype] {}"]);
  assert.deepEqual(describe(undefined), ["Error", "undefined"]);
});

test("only an object with a truthy error is a yielded error", () => {
  assert.equal(errorYielded({ error: "x", a: 1 }), "x");
  assert.equal(errorYielded({ error: { a: 1 } }), '{"a":1}');
  for (const chunk of [{ error: "" }, { a: 1 }, "error", null]) {
    assert.equal(errorYielded(chunk), null);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { elementsOf } from "./elements.ts";

function elements(text: string): string[] {
  const bytes = Buffer.from(text);
  return [...elementsOf(bytes)].map(({ start, end }) => bytes.toString("utf8", start, end).trim());
}

test("finds each element as it is written", () => {
  const values = ['{"a":[1,{"b":"],"}]}', "[]", "[[1], 2]", '"ü\\"],["', '"\\\\"', "-1e5", "null"];
  assert.deepEqual(elements(` [ ${values.join(" ,\n")}\t] `), values);
  assert.deepEqual(elements(`[${values.join(",")}]`), values);
});

test("an empty array has no element", () => {
  assert.deepEqual(elements("[]"), []);
  assert.deepEqual(elements(" [ \n ] "), []);
});

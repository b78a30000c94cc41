import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLabels, isSameLabels, labelIn, labelOf } from "./labels.ts";

test("a label is found by its own name alone, never by what every object has", () => {
  assert.equal(labelOf({ team: "" }, "team"), "");
  assert.equal(labelOf({ team: "search" }, "toString"), null);
});

test("every label of a filter must match, and a value may have equals signs", () => {
  const labels = { team: "search", run: "a=b" };
  assert.ok(hasLabels(labels, [labelIn("team=search"), labelIn("run=a=b")]));
  assert.ok(hasLabels(labels, []));
  assert.ok(!hasLabels(labels, [labelIn("team=search"), labelIn("run=a")]));
});

test("labels are equal in any order", () => {
  assert.ok(isSameLabels({ a: "1", b: "2" }, { b: "2", a: "1" }));
  assert.ok(!isSameLabels({ a: "1" }, { a: "1", b: "2" }));
  assert.ok(!isSameLabels({ a: "1" }, { b: "1" }));
});

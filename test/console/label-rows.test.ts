// The rows in which forms edit labels.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  labelErrors,
  labelRows,
  labelsBody,
  labelsText,
  textOfLabels,
} from "../../console/src/components/form/label-rows.ts";

test("rows become a text and rows again, without those that are empty", () => {
  const rows = [
    { name: "team", value: "search" },
    { name: "run", value: "a=b" },
    { name: "", value: "" },
  ];
  const text = labelsText(rows);
  assert.equal(text, "team=search\nrun=a=b");
  assert.deepEqual(labelRows(text), rows.slice(0, 2));
  assert.deepEqual(labelRows(""), []);
});

test("a value without a name and two values of a name are errors", () => {
  assert.deepEqual(labelErrors("team=\nrun=1"), {});
  assert.deepEqual(labelErrors("=1"), { labels: "Enter a name for each label" });
  assert.deepEqual(labelErrors("team=a\nteam =b"), { labels: '"team" appears twice' });
});

test("a body has the labels if they were edited", () => {
  const before = textOfLabels({ labels: { team: "search", run: "a=b" } });
  assert.deepEqual(labelsBody(before, before), {});
  assert.deepEqual(labelsBody("team=ads", before), { labels: { team: "ads" } });
  assert.deepEqual(labelsBody("", before), { labels: {} });
  assert.deepEqual(labelsBody(""), {});
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsText } from "./store-summary.ts";

test("the tables that have rows are counted, aligned", () => {
  const text = rowsText({ a_long_name_without_rows: 0, job: 1_200, pod: 3, endpoint: 10 });
  assert.equal(text, "  job            1200\n  pod               3\n  endpoint         10\n");
  assert.equal(rowsText({ job: 0 }), "");
});

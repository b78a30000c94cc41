// The schema that the migrations result in is committed beside them, so that a change of it is seen
// in review as what it is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { freshSchema, SNAPSHOT } from "./fresh-schema.ts";

test("src/store/schema.sql is what the migrations make", () => {
  const mend = "after a change of the schema: node bin/run.mjs test/law/write-schema.ts";
  assert.ok(readFileSync(SNAPSHOT, "utf8") === freshSchema(), mend);
});

// The schema that the migrations result in is committed beside them, so that a change of it is seen
// in review as what it is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { freshDatabase, missing } from "../postgres/database.ts";
import { freshPostgres, freshSqlite, snapshotOf } from "./fresh-schema.ts";

const MEND = "after a change of the schema: node bin/run.mjs test/law/write-schema.ts";

test("src/store/schema.sqlite.sql is what the migrations make", () => {
  assert.ok(readFileSync(snapshotOf("sqlite"), "utf8") === freshSqlite(), MEND);
});

test("src/store/schema.postgres.sql is what the migrations make", { skip: missing }, async (t) => {
  const made = await freshPostgres(await freshDatabase(t));
  assert.ok(readFileSync(snapshotOf("postgres"), "utf8") === made, MEND);
});

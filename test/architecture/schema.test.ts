// The schema that results from the migrations is committed beside them, so that a review shows
// every change of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { freshDatabase, missing } from "../postgres/database.ts";
import { freshPostgres, freshSqlite, snapshotOf } from "./fresh-schema.ts";
import { sources } from "./sources.ts";

const HINT = "after a change of the schema, run npm run generate";

test("src/store/schema.sqlite.sql is the result of the migrations", () => {
  assert.ok(readFileSync(snapshotOf("sqlite"), "utf8") === freshSqlite(), HINT);
});

test("src/store/schema.postgres.sql is the result of the migrations", {
  skip: missing,
}, async (t) => {
  const schema = await freshPostgres(await freshDatabase(t));
  assert.ok(readFileSync(snapshotOf("postgres"), "utf8") === schema, HINT);
});

/** `count(*)` names no columns, and returns none. */
const ALL_COLUMNS = /\b(?:select|distinct|returning|,)\s+(?:\w+\.)?\*/i;

test("every statement names its columns, so that one that an operator adds changes no answer", () => {
  const unnamed = sources("src/store", "src/transactions")
    .filter(({ code }) => ALL_COLUMNS.test(code))
    .map(({ file }) => file);
  assert.deepEqual(unnamed, []);
  for (const sql of ["select * from pod", "select pod.* from pod", "returning *"])
    assert.match(sql, ALL_COLUMNS);
});

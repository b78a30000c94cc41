// The schema that results from the migrations is committed beside them, so that a review shows
// every change of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { migrationsOf } from "../../src/store/engine/migrations.ts";
import { migrate, replay } from "../../src/store/engine/sqlite/migrate.ts";
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

test("a new SQLite database has what all migrations one after another leave", () => {
  const [created, replayed] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
  migrate(created);
  replay(replayed, migrationsOf("sqlite"));
  assert.deepEqual(contentOf(created), contentOf(replayed));
  created.close();
  replayed.close();
});

/** Every object of the schema, the rows of every table, and the version. */
function contentOf(db: DatabaseSync) {
  const objects = db.prepare("select type, name, tbl_name, sql from sqlite_schema").all();
  const rows = objects
    .filter(({ type }) => type === "table")
    .map(({ name }) => [name, db.prepare(`select * from "${name}"`).all()]);
  const sorted = (list: unknown[]) => list.map((each) => JSON.stringify(each)).sort();
  return [sorted(objects), sorted(rows), db.prepare("pragma user_version").all()];
}

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

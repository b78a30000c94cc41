// Writes src/store/schema.*.sql anew from the migrations: node bin/run.mjs test/law/write-schema.ts

import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { freshDatabase } from "../postgres/database.ts";
import { freshPostgres, freshSqlite, snapshotOf } from "./fresh-schema.ts";

test("the snapshots are written", async (t) => {
  writeFileSync(snapshotOf("sqlite"), freshSqlite());
  writeFileSync(snapshotOf("postgres"), await freshPostgres(await freshDatabase(t)));
});

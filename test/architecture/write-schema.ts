// Writer of the snapshots src/store/schema.*.sql, for npm run generate

import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { freshDatabase } from "../postgres/database.ts";
import { freshPostgres, freshSqlite, snapshotOf } from "./fresh-schema.ts";

test("write the snapshots", async (t) => {
  writeFileSync(snapshotOf("sqlite"), freshSqlite());
  writeFileSync(snapshotOf("postgres"), await freshPostgres(await freshDatabase(t)));
});

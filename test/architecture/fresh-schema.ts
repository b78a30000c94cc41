// The schemas of new databases.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrationsOf } from "../../src/store/engine/migrations.ts";
import { schemaOf as schemaOfPostgres } from "../../src/store/engine/postgres/schema.ts";
import { replay } from "../../src/store/engine/sqlite/migrate.ts";
import { schemaOf as schemaOfSqlite } from "../../src/store/engine/sqlite/open.ts";

export type Dialect = "sqlite" | "postgres";

export function snapshotOf(dialect: Dialect): string {
  return path.join(import.meta.dirname, `../../src/store/schema.${dialect}.sql`);
}

export function freshSqlite(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-schema-"));
  try {
    const file = path.join(folder, "freehold.db");
    const db = new DatabaseSync(file);
    replay(db, migrationsOf("sqlite"));
    db.close();
    return schemaOfSqlite(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `url` is the URL of a database that contains only the schema. */
export function freshPostgres(url: string): Promise<string> {
  return schemaOfPostgres(url);
}

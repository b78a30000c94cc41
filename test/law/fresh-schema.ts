// The schema of a database that was just made.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSqlite, schemaOf } from "../../src/store/dialect/sqlite.ts";

export const SNAPSHOT = path.join(import.meta.dirname, "../../src/store/schema.sql");

export function freshSchema(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-schema-"));
  try {
    const file = path.join(folder, "freehold.db");
    void openSqlite(file).close();
    return schemaOf(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

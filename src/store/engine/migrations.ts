// The numbered migrations, and the rules by which a database is migrated or refused. An applied migration is
// frozen: its digest is kept in the database, in the table `schema_version`.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { toPostgresSchema, withoutComments } from "./postgres-schema.ts";

export type Dialect = "sqlite" | "postgres";

export interface Migration {
  version: number;
  /** From the root of the repository. */
  file: string;
  sql: string;
  /** SHA-256 of the statements, without comments and line endings. */
  digest: string;
}

export interface AppliedMigration {
  version: number;
  digest: string;
}

/** The schema of databases that were made before digests were kept. */
const VERSION_WITHOUT_DIGEST = 1;

const FOLDER = path.join(import.meta.dirname, "migrations");

/**
 * The migrations of a dialect, in order. `0002.sql` is for both databases; if they need different statements,
 * there are `0002.sqlite.sql` and `0002.postgres.sql` instead.
 */
export function migrationsOf(dialect: Dialect): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}\.sql$/.test(name) || name.endsWith(`.${dialect}.sql`))
    .sort()
    .map((name, n) =>
      migrationOf(dialect, n + 1, name, readFileSync(path.join(FOLDER, name), "utf8")),
    );
}

export function migrationOf(
  dialect: Dialect,
  version: number,
  name: string,
  text: string,
): Migration {
  const shared = !name.endsWith(`.${dialect}.sql`);
  const sql = dialect === "postgres" && shared ? toPostgresSchema(text) : text;
  const digest = createHash("sha256").update(withoutComments(sql)).digest("hex");
  return { version, file: `src/store/engine/migrations/${name}`, sql, digest };
}

/** Why a database cannot be used, as one sentence for the operator. */
export class SchemaRefused extends Error {
  override readonly name = "SchemaRefused";
}

export function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new SchemaRefused(
    `the data was written by a newer Freehold: its schema is ${version} and this version knows ${known}`,
  );
}

/** The migrations that a database lacks. Throws SchemaRefused if one was changed after it was applied. */
export function pendingMigrations(
  applied: AppliedMigration[],
  migrations: Migration[],
): Migration[] {
  const digests = new Map(applied.map(({ version, digest }) => [version, digest]));
  const changed = migrations.find(({ version, digest }) => {
    return digests.has(version) && digests.get(version) !== digest;
  });
  if (changed) {
    throw new SchemaRefused(
      `${changed.file} was changed after this data was migrated with it: restore the file as it was released, or start the version of Freehold that wrote the data`,
    );
  }
  return migrations.filter(({ version }) => !digests.has(version));
}

/**
 * Checks a database without digests before it is adopted. `differing` names what its schema lacks. Throws
 * SchemaRefused.
 */
export function checkAdoption(version: number, differing: string[]): void {
  if (version !== VERSION_WITHOUT_DIGEST) {
    throw new SchemaRefused(
      `the schema of the data is ${version}, and this version of Freehold can adopt only schema ${VERSION_WITHOUT_DIGEST}: start the version that wrote the data`,
    );
  }
  if (differing.length > 0) {
    throw new SchemaRefused(
      `the schema of the data is ${version}, but differs from src/store/engine/migrations/0001.sql in ${differing.join(", ")}: restore a backup, or start the version of Freehold that wrote the data`,
    );
  }
}

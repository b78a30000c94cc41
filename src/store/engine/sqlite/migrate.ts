// Migration of a SQLite database. `user_version` is the number of its schema; the table `schema_version` keeps
// the digest of each applied migration.

import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type AppliedMigration,
  checkAdoption,
  type Migration,
  migrationsOf,
  pendingMigrations,
  refuseNewer,
} from "../migrations.ts";
import { withoutComments } from "../postgres-schema.ts";

const CREATE_SCHEMA_VERSION = `
  create table if not exists schema_version (version integer primary key, digest text not null) strict`;

interface SchemaObject {
  name: string;
  sql: string;
}

/** What all migrations together create, in the order of names. */
const SNAPSHOT = path.join(import.meta.dirname, "..", "..", "schema.sqlite.sql");

/** The rows that the migrations leave in a new database. */
const FIRST_ROWS = "insert into price_book (seq) values (0);";

/** Brings a database up to date, and creates the schema of a new one at once. Throws SchemaRefused. */
export function migrate(db: DatabaseSync): void {
  if (versionOf(db) === 0 && schemaObjects(db).length === 0) create(db);
  else replay(db, migrationsOf("sqlite"));
}

/** In one transaction: to replay the migrations takes four times as long. */
function create(db: DatabaseSync): void {
  const statements = readFileSync(SNAPSHOT, "utf8").split(/;\n+(?=create )/i);
  const isTable = (statement: string) => /^create table/i.test(statement);
  const tables = statements.filter(isTable);
  const others = statements.filter((statement) => !isTable(statement));
  const migrations = migrationsOf("sqlite");
  db.exec(`begin immediate;
    ${[...tables, ...others].join(";\n")};
    ${FIRST_ROWS}
    ${migrations.map(insertVersion).join("\n")}
    pragma user_version = ${migrations.length};
    commit`);
}

/** Applies the migrations that the database lacks, one after another. Throws SchemaRefused. */
export function replay(db: DatabaseSync, migrations: Migration[]): void {
  const version = versionOf(db);
  refuseNewer(version, migrations.length);
  if (version > 0 && !hasSchemaVersion(db)) adopt(db, version, migrations[0]!);
  for (const migration of pendingMigrations(appliedIn(db), migrations)) {
    db.exec(`begin immediate;
      ${migration.sql}
      ${insertVersion(migration)}
      pragma user_version = ${migration.version};
      commit`);
  }
}

/** The number of the database's schema; 0 for a new database. */
export function versionOf(db: DatabaseSync): number {
  return (db.prepare("pragma user_version").get() as { user_version: number }).user_version;
}

/** The number of the schema that this version of Freehold uses. */
export function knownVersion(): number {
  return migrationsOf("sqlite").length;
}

/** The tables that hold data, by name. */
export function tablesOf(db: DatabaseSync): string[] {
  const tables = db
    .prepare(
      `select name from sqlite_schema
       where type = 'table' and name not like 'sqlite_%' and name <> 'schema_version' order by name`,
    )
    .all() as { name: string }[];
  return tables.map(({ name }) => name);
}

/** What creates the database's tables and indexes, by name. */
export function schemaObjects(db: DatabaseSync): SchemaObject[] {
  return db
    .prepare(
      "select name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name",
    )
    .all() as unknown as SchemaObject[];
}

function hasSchemaVersion(db: DatabaseSync): boolean {
  return schemaObjects(db).some(({ name }) => name === "schema_version");
}

function appliedIn(db: DatabaseSync): AppliedMigration[] {
  if (!hasSchemaVersion(db)) return [];
  const applied = db.prepare("select version, digest from schema_version").all();
  return applied as unknown as AppliedMigration[];
}

/** Takes a database over that was made before digests were kept, if its schema is that of the migration. */
function adopt(db: DatabaseSync, version: number, migration: Migration): void {
  const expected = new DatabaseSync(":memory:");
  try {
    expected.exec(migration.sql);
    const found = new Map(schemaObjects(db).map(({ name, sql }) => [name, comparable(sql)]));
    const differing = schemaObjects(expected).filter(({ name, sql }) => {
      return found.get(name) !== comparable(sql);
    });
    checkAdoption(
      version,
      differing.map(({ name }) => name),
    );
  } finally {
    expected.close();
  }
  db.exec(`begin immediate; ${insertVersion(migration)} commit`);
}

/** `collate binary` is SQLite's default. */
function comparable(sql: string): string {
  return withoutComments(sql).replaceAll(" collate binary", "");
}

function insertVersion({ version, digest }: Migration): string {
  return `${CREATE_SCHEMA_VERSION};
    insert into schema_version (version, digest) values (${version}, '${digest}');`;
}

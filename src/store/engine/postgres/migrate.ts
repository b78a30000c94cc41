// Migration of a PostgreSQL database. Replicas that start at the same time queue for a lock, and the first
// migrates for all.

import pg from "pg";
import {
  type AppliedMigration,
  checkAdoption,
  type Migration,
  migrationsOf,
  pendingMigrations,
  refuseNewer,
} from "../migrations.ts";
import { schemaStatements } from "./schema.ts";
import { CONNECT_TIMEOUT_MS } from "./wire/session.ts";

/** A number that nothing else locks: "freehold" in ASCII, cut to fit. */
const LOCK = "7382914598731621";

const CREATE_SCHEMA_VERSION = `
  create table if not exists schema_version (version bigint primary key, digest text not null)`;

/** Throws SchemaRefused. */
export async function migrate(url: string, migrations = migrationsOf("postgres")): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {}); // the query under way throws it
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK})`);
    const version = await versionIn(client);
    refuseNewer(version, migrations.length);
    if (version > 0 && !(await hasDigests(client))) await adopt(client, version, migrations[0]!);
    for (const migration of pendingMigrations(await appliedIn(client), migrations)) {
      await client.query(`begin;
        ${migration.sql};
        ${CREATE_SCHEMA_VERSION};
        ${insertVersion(migration)};
        commit`);
    }
  } finally {
    await client.end();
  }
}

/** 0 for a database without Freehold's tables. */
async function versionIn(client: pg.Client): Promise<number> {
  if (!(await hasSchemaVersion(client))) return 0;
  const { rows } = await client.query("select max(version) as version from schema_version");
  return Number(rows[0].version);
}

async function appliedIn(client: pg.Client): Promise<AppliedMigration[]> {
  if (!(await hasSchemaVersion(client))) return [];
  const { rows } = await client.query("select version, digest from schema_version");
  return rows.map(({ version, digest }) => ({ version: Number(version), digest }));
}

async function hasSchemaVersion(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('schema_version') is not null as found");
  return rows[0].found;
}

async function hasDigests(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_attribute
     where attrelid = to_regclass('schema_version') and attname = 'digest' and not attisdropped`,
  );
  return rows.length > 0;
}

/** Takes a database over that was made before digests were kept, if its schema is that of the migration. */
async function adopt(client: pg.Client, version: number, migration: Migration): Promise<void> {
  const found = new Set(await schemaStatements(client));
  const expected = await expectedStatements(client, migration);
  const differing = expected.filter((statement) => !found.has(statement)).map(nameIn);
  checkAdoption(version, differing);
  await client.query(`begin;
    drop table schema_version;
    ${CREATE_SCHEMA_VERSION};
    ${insertVersion(migration)};
    commit`);
}

/** Runs the migration in a schema of its own, which is rolled back. */
async function expectedStatements(client: pg.Client, { sql }: Migration): Promise<string[]> {
  await client.query(`begin;
    create schema freehold_expected;
    set local search_path = freehold_expected`);
  try {
    await client.query(sql);
    return await schemaStatements(client);
  } finally {
    await client.query("rollback");
  }
}

/** The table or index that a statement creates. */
function nameIn(statement: string): string {
  return /^create (?:unique )?(?:table|index) (\S+)/i.exec(statement)![1]!;
}

function insertVersion({ version, digest }: Migration): string {
  return `insert into schema_version (version, digest) values (${version}, '${digest}')`;
}

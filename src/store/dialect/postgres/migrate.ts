// Brings a database's schema up to date. Replicas that start at once take turns at a lock, and the
// first does it for all.

import pg from "pg";
import { migrationsOf, NewerSchema } from "../migrations.ts";
import { CONNECT_MS } from "./session.ts";

/** Any number that nobody else locks: "freehold" in ASCII, as far as it fits. */
const LOCK = "7382914598731621";

/** Throws NewerSchema where the data is a newer Freehold's. */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on("error", () => {}); // whoever awaits a query of it is told
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK})`);
    const migrations = migrationsOf("postgres");
    const found = await versionIn(client);
    if (found > migrations.length) throw new NewerSchema(found, migrations.length);
    for (let version = found; version < migrations.length; version++) {
      await client.query(`begin;
        ${migrations[version]}
        create table if not exists schema_version (version bigint not null);
        delete from schema_version;
        insert into schema_version (version) values (${version + 1});
        commit`);
    }
  } finally {
    await client.end();
  }
}

/** 0 for a database that holds nothing of ours. */
async function versionIn(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select to_regclass('schema_version') is not null as there");
  if (!rows[0].there) return 0;
  const versions = await client.query("select version from schema_version");
  return Number(versions.rows[0].version);
}

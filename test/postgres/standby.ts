// A second PostgreSQL server that follows a first one by streaming replication, and its promotion.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import pg from "pg";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";
import { stop } from "./database.ts";
import { commands, newServerFolder, ownFolder, runAsOwner, startServer, urlOf } from "./server.ts";

/** Starts a standby of the server in `primary`; returns its folder. */
export async function startStandby(t: TestContext, primary: string): Promise<string> {
  const folder = newServerFolder();
  t.after(() => stop(folder));
  await followFrom(folder, primary);
  return folder;
}

/** Makes the server in `folder`, which does not run, a standby of the one in `primary`, and starts it. */
export async function followFrom(folder: string, primary: string): Promise<void> {
  for (const each of ["data", "socket"]) {
    rmSync(path.join(folder, each), { recursive: true, force: true });
  }
  mkdirSync(path.join(folder, "socket"));
  writeFileSync(path.join(folder, "port"), String(await freePort()));
  ownFolder(folder);
  const data = path.join(folder, "data");
  const args = ["--pgdata", data, "--dbname", urlOf(primary, "postgres"), "--write-recovery-conf"];
  runAsOwner(folder, "pg_basebackup", [...args, "--checkpoint=fast", "--no-sync"]);
  await startServer(folder);
}

/** Every commit on the primary waits until a standby has it. */
export async function commitOnBoth(primary: string): Promise<void> {
  await commands(primary, [
    "alter system set synchronous_standby_names = '*'",
    "select pg_reload_conf()",
  ]);
  const client = await open(primary);
  const inSync = "select 1 from pg_stat_replication where sync_state = 'sync'";
  await until(async () => (await client.query(inSync)).rows.length > 0);
  await client.end();
}

/** Makes a standby the primary. It commits alone until it has a standby of its own. */
export async function promote(standby: string): Promise<void> {
  await commands(standby, [
    "select pg_promote(true, 60)",
    "alter system set synchronous_standby_names = ''",
    "select pg_reload_conf()",
  ]);
}

/** Waits until the standby shows what the primary has committed. */
export async function catchUp(primary: string, standby: string): Promise<void> {
  const [from, to] = await Promise.all([primary, standby].map(open));
  const { rows } = await from!.query("select pg_current_wal_flush_lsn()::text as lsn");
  const behind = "select pg_last_wal_replay_lsn() < $1::pg_lsn as behind";
  while ((await to!.query(behind, [rows[0].lsn])).rows[0].behind)
    await to!.query("select pg_sleep(0.01)");
  await Promise.all([from!.end(), to!.end()]);
}

async function open(folder: string): Promise<pg.Client> {
  const client = new pg.Client(urlOf(folder, "postgres"));
  await client.connect();
  return client;
}

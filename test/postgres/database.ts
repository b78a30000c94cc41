// Databases for tests, one per test, on a PostgreSQL server that a test run shares. The first test that needs the
// server starts it; the test command stops it. A test file that runs alone has a server of its own.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import pg from "pg";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { until } from "../fixtures/until.ts";
import {
  commands,
  findPrograms,
  makeServer,
  newServerFolder,
  startServer,
  urlOf,
  WITHOUT_SYNC,
} from "./server.ts";

const STOP = path.join(import.meta.dirname, "..", "..", "bin", "stop-postgres.mjs");
/** A migrated database, which every test's database is a copy of. */
const TEMPLATE = "freehold_template";

/** Why tests on PostgreSQL are skipped, or false. In CI they must not be. */
export const missing: string | false =
  findPrograms() === null ? "PostgreSQL is not installed: apt-get install postgresql" : false;
if (missing && process.env.CI) throw new Error(missing);

/** Creates a database, drops it some time after the test, and returns its URL. */
export async function freshDatabase(t: TestContext, template = TEMPLATE): Promise<string> {
  const folder = await sharedServer();
  const name = `t${process.pid}_${++count}`;
  // Earlier tests' databases. A hook of this test would run before the one that closes its store.
  const drops = unused.splice(0).map((each) => `drop database if exists ${each} with (force)`);
  await commands(folder, [
    ...drops,
    `create database ${name} template ${template} strategy file_copy`,
  ]);
  t.after(() => void unused.push(name));
  return urlOf(folder, name);
}
let count = 0;
const unused: string[] = [];

/** A database that no migration has touched. */
export async function emptyDatabase(t: TestContext): Promise<string> {
  return freshDatabase(t, "template0");
}

/** Cuts the connections of a role ("writes", "reads", "notifications"); returns how many. */
export async function cut(url: string, role: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [`freehold ${role}`],
  );
  await client.end();
  return rowCount ?? 0;
}

/** Starts a server for one test, which may kill or restart it; returns its folder. */
export async function ownServer(
  t: TestContext,
  settings: Record<string, string> = {},
): Promise<string> {
  const folder = newServerFolder();
  t.after(() => stop(folder));
  await makeServer(folder);
  await startServer(folder, { ...WITHOUT_SYNC, ...settings });
  return folder;
}

let server: Promise<string> | null = null;

function sharedServer(): Promise<string> {
  server ??= openShared();
  return server;
}

async function openShared(): Promise<string> {
  const shared = process.env.FREEHOLD_TEST_POSTGRES;
  const folder = shared ?? newServerFolder();
  if (!shared) {
    process.on("exit", () => stop(folder));
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
  }
  const ready = path.join(folder, "ready");
  if (mayStart(folder)) {
    await makeServer(folder);
    await startServer(folder);
    await commands(folder, [`create database ${TEMPLATE}`]);
    const store = await openPostgres(urlOf(folder, TEMPLATE));
    await store.close();
    writeFileSync(ready, "");
  }
  await until(() => existsSync(ready));
  return folder;
}

/** Returns true in one process of a test run. */
function mayStart(folder: string): boolean {
  try {
    closeSync(openSync(path.join(folder, "starting"), "wx"));
    return true;
  } catch {
    return false;
  }
}

export function stop(folder: string): void {
  spawnSync(process.execPath, [STOP, folder], { stdio: "inherit" });
}

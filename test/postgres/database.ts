// A database of its own for each test, on the one PostgreSQL that a run of the tests shares. The
// first test that needs the server starts it; the test command stops it. A test file that is run by
// itself has a server of its own.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openPostgres } from "../../src/store/dialect/postgres/open.ts";
import { CARELESS, commands, findPrograms, makeServer, startServer, urlOf } from "./server.ts";

const STOP = path.join(import.meta.dirname, "..", "..", "bin", "stop-postgres.mjs");
/** Already migrated; every test's database is a copy of it. */
const TEMPLATE = "freehold_template";

/** Why tests on PostgreSQL are skipped, or false; in CI none may be. */
export const missing: string | false =
  findPrograms() === null ? "PostgreSQL is not installed: apt-get install postgresql" : false;
if (missing && process.env.CI) throw new Error(missing);

/** Makes a database that is gone some time after the test, and returns its URL. */
export async function freshDatabase(t: TestContext, template = TEMPLATE): Promise<string> {
  const folder = await sharedServer();
  const name = `t${process.pid}_${++made}`;
  // Not in this test's own hooks, which run in their order: its store is still open then.
  const drops = done.splice(0).map((each) => `drop database if exists ${each} with (force)`);
  await commands(folder, [
    ...drops,
    `create database ${name} template ${template} strategy file_copy`,
  ]);
  t.after(() => void done.push(name));
  return urlOf(folder, name);
}
let made = 0;
const done: string[] = [];

/** A database that no migration has touched. */
export async function emptyDatabase(t: TestContext): Promise<string> {
  return freshDatabase(t, "template0");
}

/** Ends the connections of a role ("turns", "reads", "wake-ups"), as a network would; says how many. */
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

/** Starts a server for this test alone, to be killed or restarted; returns its folder. */
export async function ownServer(
  t: TestContext,
  settings: Record<string, string> = {},
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-postgres-"));
  t.after(() => stop(folder));
  await makeServer(folder);
  await startServer(folder, { ...CARELESS, ...settings });
  return folder;
}

let server: Promise<string> | null = null;

function sharedServer(): Promise<string> {
  server ??= openShared();
  return server;
}

async function openShared(): Promise<string> {
  const given = process.env.FREEHOLD_TEST_POSTGRES;
  const folder = given ?? mkdtempSync(path.join(tmpdir(), "freehold-postgres-"));
  if (!given) {
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
  while (!existsSync(ready)) await sleep(50);
  return folder;
}

/** True for the one process of a run that gets there first. */
function mayStart(folder: string): boolean {
  try {
    closeSync(openSync(path.join(folder, "starting"), "wx"));
    return true;
  } catch {
    return false;
  }
}

function stop(folder: string): void {
  spawnSync(process.execPath, [STOP, folder], { stdio: "inherit" });
}

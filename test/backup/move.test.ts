// Tests of moving from SQLite to PostgreSQL: everything is moved, or nothing is.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { takeDataFolder } from "../../src/installation/data-folder.ts";
import { fromStored } from "../../src/store/engine/postgres/wire/text.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { freehold, start } from "../cli/command.ts";
import { startService } from "../fixtures/service/service.ts";
import { emptyDatabase, freshDatabase, missing } from "../postgres/database.ts";
import { checkCopy, fillService } from "./full-service.ts";

const skip = missing;

/** A data folder whose store contains texts and numbers that are hard to convert. */
async function hardCases(t: TestContext, jobs = 3): Promise<string> {
  const data = mkdtempSync(path.join(tmpdir(), "freehold-move-"));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  takeDataFolder(data).release();
  const file = path.join(data, "freehold.db");
  await openSqlite(file).close();
  const db = new DatabaseSync(file);
  db.exec("begin");
  db.prepare("insert into account (id, name, created_at) values ('a', ?, 0)").run(texts.join("|"));
  const setting = db.prepare("insert into setting (name, value) values (?, ?)");
  for (const [n, text] of texts.entries()) setting.run(`text ${n}`, text);
  const piece = db.prepare(
    "insert into payload_piece (payload_id, part, bytes) values ('p', ?, ?)",
  );
  piece.run(1, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
  piece.run(2, Buffer.alloc(0));
  const job = db.prepare(`insert into job (id, endpoint_id, state, sync, priority, low_priority,
      submitted_at, queued_at, ttl_ms, ttl_at, execution_ms, keep_ms, failure_keep_ms, input, output)
    values (?, 'e', 'IN_QUEUE', 0, ?, 0, 1, 2, 3, 4, 5, 6, 7, ?, null)`);
  for (let n = 0; n < jobs; n++) job.run(`j${n}`, -(2n ** 53n) - 1n, `{"n":${n}}`);
  db.exec("delete from job where id = (select max(id) from job); commit");
  db.close();
  return data;
}

const texts = [
  "",
  "\\N",
  "\\.",
  "a\tb\nc\rd\\n",
  "\0 in the middle",
  "\u{10FFFF}0",
  "😀 é \u2028",
  '{"k":"\\u0000"}',
  "x".repeat(3_000),
];

/**
 * The database is dropped after the service that uses it has stopped, which an inner test ensures.
 */
function onDatabase(what: string, body: (t: TestContext, url: string) => Promise<void>): void {
  test(what, { skip }, async (t) => {
    const url = await emptyDatabase(t);
    await t.test("on the moved database", (inner) => body(inner, url));
  });
}

async function client(t: TestContext, url: string): Promise<pg.Client> {
  const connected = new pg.Client(url);
  connected.on("error", () => {});
  await connected.connect();
  t.after(() => connected.end());
  return connected;
}

const refusal = (...args: string[]) => sentence(1, args);
const usageError = (...args: string[]) => sentence(2, args);

async function sentence(exitCode: number, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await freehold(["move", ...args]);
  assert.deepEqual([code, stdout], [exitCode, ""]);
  assert.match(stderr, /^freehold: [^\n]+\n$/);
  return stderr;
}

onDatabase("a service goes on in PostgreSQL where it stood in SQLite", async (t, url) => {
  const full = await fillService(t);
  const { service } = full;
  assert.match(await refusal("--to", url, "--data", service.dataFolder), /is in use by another/);
  await service.stop();
  const { code, stdout, stderr } = await freehold([
    "move",
    "--to",
    url,
    "--data",
    service.dataFolder,
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /job +8\n/);
  const up = await freehold(["up", "--data", service.dataFolder, "--listen", "127.0.0.1:0"]);
  assert.match(up.stderr, /^freehold: the store in .* was moved to PostgreSQL .*_DATABASE_URL\n$/);
  assert.ok(!existsSync(path.join(service.dataFolder, "freehold.db")));
  await checkCopy(t, full, service.dataFolder, { FREEHOLD_DATABASE_URL: url });
});

test("every value is moved unchanged, and new jobs are numbered after all earlier ones", {
  skip,
}, async (t) => {
  const data = await hardCases(t);
  const url = await freshDatabase(t);
  const { code, stderr } = await freehold(["move", "--to", url, "--data", data, "--json"]);
  assert.equal(code, 0, stderr);
  const db = new DatabaseSync(path.join(data, "freehold.db.moved"), { readOnly: true });
  const target = await client(t, url);
  const names = db
    .prepare(
      `select name from sqlite_schema
       where type = 'table' and name not like 'sqlite_%' and name <> 'schema_version'`,
    )
    .all() as { name: string }[];
  for (const { name } of names) {
    const all = db.prepare(`select * from "${name}"`);
    all.setReadBigInts(true);
    const { rows } = await target.query(`select * from "${name}"`);
    const arrived = rows.map((row) => plain(row, fromStored)).sort();
    assert.deepEqual(
      arrived,
      all
        .all()
        .map((row) => plain(row))
        .sort(),
      name,
    );
  }
  db.close();
  const { rows } = await target.query("select nextval(pg_get_serial_sequence('job', 'seq')) as n");
  assert.equal(rows[0].n, "4", "the third job was deleted, and its number is not reused");
});

test("both stores have the same tables and columns", { skip }, async (t) => {
  const db = new DatabaseSync(path.join(await hardCases(t), "freehold.db"), { readOnly: true });
  const ours = db
    .prepare(
      `select t.name || '.' || c.name as name from sqlite_schema as t, pragma_table_info(t.name) as c
       where t.type in ('table', 'view') and t.name not like 'sqlite_%' and t.name <> 'schema_version'`,
    )
    .all() as { name: string }[];
  db.close();
  const target = await client(t, await freshDatabase(t));
  const { rows } = await target.query(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and table_name <> 'schema_version'`,
  );
  const named = (all: { name: string }[]) => all.map(({ name }) => name).sort();
  assert.deepEqual(named(rows), named(ours));
});

onDatabase("a database that holds data is left alone, and so is the store", async (t, url) => {
  const data = await hardCases(t);
  await startService(t, { env: { FREEHOLD_DATABASE_URL: url } });
  const said = await refusal("--to", url, "--data", data);
  assert.match(said, /nothing was moved: that database holds data already: the table \w+ is not/);
  assert.ok(existsSync(path.join(data, "freehold.db")));
});

test("a move that is killed halfway changes nothing, and can be repeated", { skip }, async (t) => {
  const data = await hardCases(t, 60_000);
  const url = await freshDatabase(t);
  const target = await client(t, url);
  const child = start(["move", "--to", url, "--data", data]);
  const closed = new Promise((resolve) => child.once("close", resolve));
  const copying = `select 1 from pg_stat_activity where datname = current_database()
    and query like 'copy "job"%' and state = 'active'`;
  while ((await target.query(copying)).rows.length === 0 && child.exitCode === null) {}
  child.kill("SIGKILL");
  await closed;
  assert.equal((await target.query("select count(*) as n from setting")).rows[0].n, "0");
  assert.ok(existsSync(path.join(data, "freehold.db")));
  assert.equal((await freehold(["move", "--to", url, "--data", data])).code, 0);
  assert.equal((await target.query("select count(*) as n from job")).rows[0].n, "59999");
});

test("an invalid move is rejected", { skip }, async (t) => {
  const data = await hardCases(t);
  const url = await freshDatabase(t);
  assert.match(await usageError("--data", data), /move takes --to postgres:/);
  assert.match(
    await usageError("--to", "mysql://x/y", "--data", data),
    /move takes --to postgres:/,
  );
  const nobody = "postgres://nobody:secret@127.0.0.1:1/x";
  assert.match(await refusal("--to", nobody, "--data", data), /nothing was moved: PostgreSQL at /);
  const wrong = url.replace(/:[^:@]*@/, ":wrong-and-secret@");
  const said = await refusal("--to", wrong, "--data", data);
  assert.match(said, /check user and password/);
  assert.doesNotMatch(said, /wrong-and-secret/);
  assert.match(await refusal("--to", url, "--data", `${data}-none`), /there is no data folder/);
  rmSync(path.join(data, "freehold.db"));
  assert.match(await refusal("--to", url, "--data", data), /no freehold\.db in .* to move/);
});

/** A row of either database in a common form. */
function plain(row: Record<string, unknown>, read = (text: string) => text): string {
  const entries = Object.entries(row).map(([name, value]) => {
    if (typeof value === "bigint") return [name, String(value)];
    if (value instanceof Uint8Array) return [name, Buffer.from(value).toString("hex")];
    return [name, typeof value === "string" ? read(value) : value];
  });
  return JSON.stringify(entries.sort());
}

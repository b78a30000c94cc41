// Tests of restores: rejected ones, and interruptions, which leave the old store or the new one.

import assert from "node:assert/strict";
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { takeDataFolder } from "../../src/installation/data-folder.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { freehold, start } from "../cli/command.ts";
import { startService } from "../fixtures/service/service.ts";
import { pauseMs } from "../fixtures/time/pace.ts";

interface Fixture {
  folder: string;
  /** A backup whose only account is named `new`. */
  backup: string;
  /**
   * A data folder whose only account is named `old`, with the name still in the write-ahead log.
   */
  data: string;
}

async function set(t: TestContext): Promise<Fixture> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-restore-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = path.join(folder, "data");
  takeDataFolder(data).release();
  const store = path.join(data, "freehold.db");
  await openSqlite(store).close();
  const backup = path.join(folder, "backup.db");
  copyFileSync(store, backup);
  name(backup, "new").close();
  // Copied while it is open, so the log is not yet merged into the file.
  const open = name(store, "old");
  const crashed = path.join(folder, "crashed");
  cpSync(data, crashed, { recursive: true });
  open.close();
  rmSync(data, { recursive: true });
  renameSync(crashed, data);
  assert.ok(readdirSync(data).includes("freehold.db-wal"));
  return { folder, backup, data };
}

function name(file: string, account: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("pragma journal_mode = wal");
  db.prepare("insert into account (id, name, created_at) values (?, ?, 0)").run("a", account);
  return db;
}

/** The account's name in the store, as the next service reads it. */
function nameIn(data: string): string {
  const folder = takeDataFolder(data);
  const db = new DatabaseSync(path.join(data, "freehold.db"));
  const row = db.prepare("select name from account").get() as { name: string };
  assert.deepEqual({ ...db.prepare("pragma integrity_check").get() }, { integrity_check: "ok" });
  db.close();
  folder.release();
  return row.name;
}

async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await freehold(["restore", ...args]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^freehold: [^\n]+\n$/);
  return stderr;
}

test("a restore replaces existing data only if requested, and then completely", async (t) => {
  const { backup, data } = await set(t);
  assert.match(await refusal(backup, "--data", data), /already holds data; pass --replace/);
  assert.equal(nameIn(data), "old");
  const done = await freehold(["restore", backup, "--replace", "--data", data]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /account +1\n/);
  assert.equal(nameIn(data), "new");
  assert.deepEqual(readdirSync(data).sort(), ["freehold.db", "lock"]);
});

test("a restore is rejected while a service uses the folder", async (t) => {
  const { backup } = await set(t);
  const service = await startService(t);
  const said = await refusal(backup, "--replace", "--data", service.dataFolder);
  assert.match(said, /is in use by another Freehold process/);
  assert.equal((await service.call("GET", "/v1/keys")).status, 200);
});

const unfit: [what: string, spoil: (file: string) => void, sentence: RegExp][] = [
  ["cut off", (file) => truncateSync(file, 60_000), /is damaged: /],
  ["with a page overwritten", (file) => overwrite(file), /is damaged: /],
  ["an empty file", (file) => truncateSync(file, 0), /is not a Freehold store: it is no SQLite/],
  [
    "a text",
    (file) => writeFileSync(file, "dear diary\n"),
    /is not a Freehold store: it is no SQL/,
  ],
  ["another program's", (file) => ofOthers(file), /is not a Freehold store: its tables are others/],
  ["of a newer Freehold", (file) => newer(file), /newer Freehold: its schema is 9999 and this/],
  ["with rows of nobody", (file) => orphan(file), /is damaged: rows refer to others/],
];

for (const [what, spoil, sentence] of unfit) {
  test(`an unusable file is rejected: ${what}`, async (t) => {
    const { backup, data } = await set(t);
    spoil(backup);
    const before = readdirSync(data).sort();
    assert.match(await refusal(backup, "--replace", "--data", data), sentence);
    assert.deepEqual(readdirSync(data).sort(), before);
    assert.equal(nameIn(data), "old");
  });
}

test("a missing file is rejected", async (t) => {
  const { folder } = await set(t);
  const data = path.join(folder, "none");
  assert.match(
    await refusal(path.join(folder, "x.db"), "--data", data),
    /there is no file .*x\.db/,
  );
  assert.ok(!readdirSync(folder).includes("none"));
});

test("a restore that is interrupted at any step is finished by the next process that opens the folder", async (t) => {
  const { backup, data } = await set(t);
  const moves = ["-wal", "-shm", ""].map(
    (part) => [`freehold.db${part}`, `freehold.db.replaced${part}`] as const,
  );
  const steps = [...moves, ["freehold.db.restored", "freehold.db"] as const];
  for (let done = 0; done <= steps.length; done++) {
    const cut = `${data}-${done}`;
    cpSync(data, cut, { recursive: true });
    copyFileSync(backup, path.join(cut, "freehold.db.restored"));
    for (const [from, to] of steps.slice(0, done)) {
      renameSync(path.join(cut, from), path.join(cut, to));
    }
    assert.equal(nameIn(cut), "new", `after ${done} steps`);
    assert.deepEqual(readdirSync(cut).sort(), ["freehold.db", "lock"]);
  }
});

test("a restore that is killed at any instant leaves either the old or the new store", async (t) => {
  const { backup, data } = await set(t);
  const spoilt = readFileSync(path.join(data, "freehold.db-wal"));
  const accountName = new Set<string>();
  for (let n = 0; n < 12; n++) {
    const copy = `${data}-${n}`;
    cpSync(data, copy, { recursive: true });
    const child = start(["restore", backup, "--replace", "--data", copy]);
    const closed = new Promise((resolve) => child.once("close", resolve));
    const began = () => readdirSync(copy).some((name) => name.endsWith(".partial"));
    while (!began() && child.exitCode === null) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await pauseMs(n * 10);
    child.kill("SIGKILL");
    await closed;
    accountName.add(nameIn(copy));
    assert.ok([...accountName].every((found) => found === "old" || found === "new"));
  }
  assert.ok(spoilt.length > 0 && accountName.has("old"), "some were killed before it counted");
});

function overwrite(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 3 * 4096, 5 * 4096);
  writeFileSync(file, bytes);
}

function ofOthers(file: string): void {
  rmSync(file);
  const db = new DatabaseSync(file);
  db.exec("create table note (text text); pragma user_version = 3;");
  db.close();
}

function newer(file: string): void {
  const db = new DatabaseSync(file);
  db.exec("pragma user_version = 9999");
  db.close();
}

function orphan(file: string): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(`insert into api_key (id, account_id, name, hash, hint, permissions, created_at)
    values ('k', 'nobody', 'k', 'h', 'hint', '{}', 0)`);
  db.close();
}

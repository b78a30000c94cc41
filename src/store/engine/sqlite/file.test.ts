// The size of pages, in new databases, older ones and copies.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { saveSetting } from "../../setting/setting.ts";
import { copySqlite, examineSqlite, PAGE_SIZE } from "./file.ts";
import { openSqlite } from "./open.ts";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-pages-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function pageSizeOf(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(db.prepare("pragma page_size").get()!.page_size);
  } finally {
    db.close();
  }
}

test("a new database has small pages", async (t) => {
  const file = path.join(folderFor(t), "freehold.db");
  await openSqlite(file).close();
  assert.equal(pageSizeOf(file), PAGE_SIZE);
});

test("an older database keeps its pages, and its copy has small ones with the same rows", async (t) => {
  const folder = folderFor(t);
  const [file, copy] = [path.join(folder, "freehold.db"), path.join(folder, "copy.db")];
  const db = new DatabaseSync(file);
  db.exec("pragma page_size = 4096; pragma journal_mode = wal; create table t (x); drop table t");
  db.close();
  const store = openSqlite(file);
  await store.write(saveSetting, "note", "kept");
  await store.close();
  assert.equal(pageSizeOf(file), 4096);
  copySqlite(file, copy);
  assert.equal(pageSizeOf(copy), PAGE_SIZE);
  const rows = examineSqlite(copy).rows;
  assert.deepEqual(rows, examineSqlite(file).rows);
  assert.equal(rows.setting, 1);
});

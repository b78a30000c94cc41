// SQLite keeps the laws of the store, and what is its own: durability and one process at a time.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { storeLaws } from "../laws/laws.ts";
import type { Store } from "../store.ts";
import { openSqlite } from "./sqlite.ts";

storeLaws("SQLite", async (t: TestContext): Promise<Store> => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-store-"));
  const store = openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close().catch(() => {});
    rmSync(folder, { recursive: true });
  });
  return store;
});

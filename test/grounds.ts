// Where a test's house stands: a data folder for each replica, and the database they share, if the
// tests run on one. All of it is gone after the test, but not before the house is.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { freshDatabase } from "./postgres/database.ts";
import { undo } from "./undo.ts";

/** One for each replica: its data folder, and the flags that all share. */
export interface Ground {
  folder: string;
  flags: { databaseUrl?: string; secretKey?: string };
}

const SECRET_KEY = "5e".repeat(32);
/** As many as the whole run of the tests asks for, on SQLite unless it says otherwise. */
const asked =
  process.env.FREEHOLD_TEST_STORE === "postgres"
    ? Number(process.env.FREEHOLD_TEST_REPLICAS ?? 1)
    : null;

/** Which database goes with a data folder, for houses that are stopped and started again. */
const databases = new Map<string, string>();

/** `replicas` are on PostgreSQL; null is one house on SQLite. */
export async function openGrounds(
  t: TestContext,
  dataFolder: string,
  replicas: number | null = asked,
): Promise<Ground[]> {
  const folders = [dataFolder];
  for (let n = 1; n < (replicas ?? 1); n++) {
    folders.push(mkdtempSync(path.join(tmpdir(), "freehold-test-")));
  }
  undo(t, () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  if (replicas === null) return [{ folder: dataFolder, flags: {} }];
  const databaseUrl = databases.get(dataFolder) ?? (await freshDatabase(t));
  databases.set(dataFolder, databaseUrl);
  const flags = { databaseUrl, secretKey: SECRET_KEY };
  return folders.map((folder) => ({ folder, flags }));
}

// Opens the store that the configuration names.

import { existsSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../base/refusal.ts";
import type { HomeConfig } from "../config/home-config.ts";
import { SchemaRefused } from "../store/engine/migrations.ts";
import { OpenError } from "../store/engine/postgres/open-error.ts";
import { openSqlite, type SqliteOptions } from "../store/engine/sqlite/open.ts";
import type { Store } from "../store/engine/store.ts";
import { fullDiskRefusal } from "./full-disk.ts";
import { MOVED, STORE } from "./put-in-place.ts";

/** Throws Refusal, with one sentence, if the store cannot be opened. */
export async function openStore(
  config: HomeConfig,
  folder: string,
  options: SqliteOptions = {},
): Promise<Store> {
  const file = path.join(folder, STORE);
  if (!config.databaseUrl && !existsSync(file) && existsSync(path.join(folder, MOVED))) {
    throw new Refusal(
      `the store in ${folder} was moved to PostgreSQL (its file is now ${MOVED}); set FREEHOLD_DATABASE_URL`,
    );
  }
  try {
    if (!config.databaseUrl) return openSqlite(file, options);
    const { openPostgres } = await import("../store/engine/postgres/open.ts");
    return await openPostgres(config.databaseUrl);
  } catch (error) {
    if (error instanceof SchemaRefused || error instanceof OpenError) {
      throw new Refusal(error.message);
    }
    const full = fullDiskRefusal(error, folder);
    throw full ?? new Refusal(`${file} cannot be opened: ${(error as Error).message}`);
  }
}

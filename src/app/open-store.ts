// Opens the store that the configuration names.

import { existsSync } from "node:fs";
import path from "node:path";
import { NewerSchema } from "../store/dialect/migrations.ts";
import { CannotOpen } from "../store/dialect/postgres/cannot-open.ts";
import { openSqlite } from "../store/dialect/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { MOVED, STORE } from "./backup/put-in-place.ts";
import type { HomeConfig } from "./home-config.ts";
import { Refusal } from "./refusal.ts";

/** Throws Refusal with one sentence where it cannot be opened. */
export async function openStore(config: HomeConfig, folder: string): Promise<Store> {
  const file = path.join(folder, STORE);
  if (!config.databaseUrl && !existsSync(file) && existsSync(path.join(folder, MOVED))) {
    throw new Refusal(
      `what ${folder} held was moved to PostgreSQL (${MOVED} is left of it); set FREEHOLD_DATABASE_URL`,
    );
  }
  try {
    if (!config.databaseUrl) return openSqlite(file);
    const { openPostgres } = await import("../store/dialect/postgres/open.ts");
    return await openPostgres(config.databaseUrl);
  } catch (error) {
    if (error instanceof NewerSchema || error instanceof CannotOpen) {
      throw new Refusal(error.message);
    }
    throw new Refusal(`${file} cannot be opened: ${(error as Error).message}`);
  }
}

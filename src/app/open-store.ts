// Opens the store that the configuration names, and sees to it that all who share one share the
// secret key too.

import { createHmac } from "node:crypto";
import path from "node:path";
import { NewerSchema } from "../store/dialect/migrations.ts";
import { CannotOpen } from "../store/dialect/postgres/cannot-open.ts";
import { openPostgres } from "../store/dialect/postgres/open.ts";
import { openSqlite } from "../store/dialect/sqlite.ts";
import { settleSetting } from "../store/setting.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";
import { Refusal } from "./refusal.ts";

/** Throws Refusal with one sentence where it cannot be opened. */
export async function openStore(config: Config, folder: string): Promise<Store> {
  const file = path.join(folder, "freehold.db");
  try {
    return config.databaseUrl ? await openPostgres(config.databaseUrl) : openSqlite(file);
  } catch (error) {
    if (error instanceof NewerSchema || error instanceof CannotOpen) {
      throw new Refusal(error.message);
    }
    throw new Refusal(`${file} cannot be opened: ${(error as Error).message}`);
  }
}

/**
 * Workers' keys are derived from the secret key by whichever replica starts them. The store keeps
 * what tells keys apart, and nothing that a key could be found from.
 */
export async function checkSecretKey(store: Store, secretKey: string): Promise<void> {
  if (store.alone) return;
  const mark = createHmac("sha256", Buffer.from(secretKey, "hex")).update("replicas").digest("hex");
  if ((await store.write(settleSetting, "secret_key_mark", mark)) === mark) return;
  await store.close();
  throw new Refusal(
    "this secret key is not the one that the other replicas on this database have; give all of them the same FREEHOLD_SECRET_KEY",
  );
}

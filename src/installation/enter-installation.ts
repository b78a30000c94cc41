// The start of a service in its installation: the data folder and the store must carry the same id,
// or the loops would end containers that another store knows.

import { existsSync } from "node:fs";
import path from "node:path";
import { randomIds } from "../base/ids.ts";
import { Refusal } from "../base/refusal.ts";
import type { HomeConfig } from "../config/home-config.ts";
import {
  type FolderIdentity,
  matchInstallation,
  type StoreIdentity,
} from "../domain/installation.ts";
import { firstAccount } from "../store/account/account.ts";
import type { Tx } from "../store/engine/statement.ts";
import type { Store } from "../store/engine/store.ts";
import { ensureSetting, findSetting } from "../store/setting/setting.ts";
import { folderIdentity, setInstallation } from "./folder-identity.ts";
import { MOVED, STORE } from "./put-in-place.ts";

/** Returns the installation's id. Throws Refusal, with the store closed, if the ids do not match. */
export async function enterInstallation(store: Store, folder: string): Promise<string> {
  const identity = folderIdentity(folder);
  const match = matchInstallation(identity, await store.read(storeIdentity));
  if (match.is === "empty store" || match.is === "other store") {
    await store.close();
    throw new Refusal(
      match.is === "empty store"
        ? `${belongs(folder, identity)}, but the database is empty or of another service; ${restoreOr("an empty database")}`
        : `${belongs(folder, identity)}, but the database belongs to installation ${match.installation}; ${restoreOr(match.installation)}`,
    );
  }
  // The store is first: a folder never carries an id that no store has.
  const id = match.is === "new" ? await ensureInstallation(store) : match.installation;
  if (match.is !== "same") setInstallation(folder, id);
  return id;
}

/** The store's id, created if it has none. */
export function ensureInstallation(store: Store): Promise<string> {
  return store.write(ensureSetting, SETTING, randomIds.short(14));
}

/** Opening a missing SQLite store would create an empty one. */
export function refuseMissingStore({ databaseUrl }: HomeConfig, folder: string): void {
  const identity = folderIdentity(folder);
  const isNew = identity.installation === null && identity.machine === null;
  const wasMoved = existsSync(path.join(folder, MOVED));
  if (databaseUrl || isNew || wasMoved || existsSync(path.join(folder, STORE))) return;
  throw new Refusal(
    `${belongs(folder, identity)}, but its database ${STORE} is missing; ${restoreOr("an empty database")}`,
  );
}

const SETTING = "installation";

function* storeIdentity(): Tx<StoreIdentity> {
  const installation = yield* findSetting(SETTING);
  return { installation, isEmpty: (yield* firstAccount()) === undefined };
}

function belongs(folder: string, { installation, machine }: FolderIdentity): string {
  const owner = installation === null ? `machine ${machine}` : `installation ${installation}`;
  return `the data folder ${folder} belongs to ${owner}`;
}

const restoreOr = (other: string) =>
  "restore its database (`freehold restore`, or FREEHOLD_DATABASE_URL), or run `freehold adopt` " +
  `to give the folder to ${other === "an empty database" ? other : `installation ${other}`}; its containers keep running until you remove them`;

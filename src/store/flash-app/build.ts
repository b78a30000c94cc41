// The table `flash_build`.

import type { FlashBuild } from "../../domain/flash/build.ts";
import { columnList, qualified } from "../engine/row/column-list.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  app_id: string;
  size: number;
  manifest: string | null;
  created_at: number;
  expires_at: number;
}

const COLUMNS = columnList<Row>()("id", "app_id", "size", "manifest", "created_at", "expires_at");

export function* insertBuild({ id, appId, size, createdAt, expiresAt }: FlashBuild): Tx<void> {
  yield* change(
    "insert into flash_build (id, app_id, size, created_at, expires_at) values (?, ?, ?, ?, ?)",
    id,
    appId,
    size,
    createdAt,
    expiresAt,
  );
}

/** A build of one of the account's apps, finalized or not. */
export function* findBuild(accountId: string, id: string): Tx<FlashBuild | undefined> {
  const found = yield* row<Row>(
    `select ${qualified("flash_build", COLUMNS)} from flash_build join flash_app on flash_app.id = app_id
     where flash_build.id = ? and account_id = ?`,
    id,
    accountId,
  );
  return found && fromRow(found);
}

/** A build of any account, for an upload whose signature is valid. */
export function* findAnyBuild(id: string): Tx<FlashBuild | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from flash_build where id = ?`, id);
  return found && fromRow(found);
}

export function* setManifest(id: string, manifest: string): Tx<void> {
  yield* change("update flash_build set manifest = ? where id = ?", manifest, id);
}

/** The finalized builds of an app, newest first. */
export function* buildsOfApp(appId: string): Tx<FlashBuild[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from flash_build where app_id = ? and manifest is not null
     order by created_at desc, id desc`,
    appId,
  );
  return found.map(fromRow);
}

export function* listBuildIds(): Tx<string[]> {
  return (yield* rows<{ id: string }>("select id from flash_build")).map(({ id }) => id);
}

export function* deleteBuild(id: string): Tx<void> {
  yield* change("delete from flash_build where id = ?", id);
}

/** The ids of what was deleted. */
export function* deleteBuildsOfApp(appId: string): Tx<string[]> {
  const deleted = yield* rows<{ id: string }>(
    "delete from flash_build where app_id = ? returning id",
    appId,
  );
  return deleted.map(({ id }) => id);
}

/** Deletes the uploads that were not finalized in time. */
export function* deleteExpiredUploads(now: number): Tx<void> {
  yield* change("delete from flash_build where manifest is null and expires_at < ?", now);
}

function fromRow({ id, app_id, size, manifest, created_at, expires_at }: Row): FlashBuild {
  return { id, appId: app_id, size, manifest, createdAt: created_at, expiresAt: expires_at };
}

// The table `flash_environment`: the environments of Flash apps.

import type { FlashEnvironment } from "../../domain/flash/app.ts";
import { columnList, qualified } from "../engine/row/column-list.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  app_id: string;
  name: string;
  created_at: number;
  active_build_id: string | null;
}

const COLUMNS = columnList<Row>()("id", "app_id", "name", "created_at", "active_build_id");

/** False if the app has an environment with this name. */
export function* insertEnvironment(environment: FlashEnvironment): Tx<boolean> {
  const inserted = yield* change(
    "insert into flash_environment (id, app_id, name, created_at) values (?, ?, ?, ?) on conflict do nothing",
    environment.id,
    environment.appId,
    environment.name,
    environment.createdAt,
  );
  return inserted > 0;
}

/** An environment of one of the account's apps. */
export function* findEnvironment(accountId: string, id: string): Tx<FlashEnvironment | undefined> {
  const found = yield* row<Row>(
    `select ${qualified("flash_environment", COLUMNS)} from flash_environment join flash_app on flash_app.id = app_id
     where flash_environment.id = ? and account_id = ?`,
    id,
    accountId,
  );
  return found && fromRow(found);
}

/** Reads an environment and locks it until the transaction commits. */
export function* lockEnvironment(accountId: string, id: string): Tx<FlashEnvironment | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from flash_environment
     where id = ? and app_id in (select id from flash_app where account_id = ?) /*+ for update */`,
    id,
    accountId,
  );
  return found && fromRow(found);
}

export function* setActiveBuild(id: string, buildId: string): Tx<void> {
  yield* change("update flash_environment set active_build_id = ? where id = ?", buildId, id);
}

export function* environmentNamed(appId: string, name: string): Tx<FlashEnvironment | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from flash_environment where app_id = ? and name = ?`,
    appId,
    name,
  );
  return found && fromRow(found);
}

/** Ordered by name. */
export function* environmentsOfApp(appId: string): Tx<FlashEnvironment[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from flash_environment where app_id = ? order by name, id`,
    appId,
  );
  return found.map(fromRow);
}

/** False if no app of the account has such an environment. */
export function* deleteEnvironment(accountId: string, id: string): Tx<boolean> {
  const deleted = yield* change(
    `delete from flash_environment
     where id = ? and app_id in (select id from flash_app where account_id = ?)`,
    id,
    accountId,
  );
  return deleted > 0;
}

export function* deleteEnvironmentsOfApp(appId: string): Tx<void> {
  yield* change("delete from flash_environment where app_id = ?", appId);
}

function fromRow({ id, app_id, name, created_at, active_build_id }: Row): FlashEnvironment {
  return { id, appId: app_id, name, createdAt: created_at, activeBuildId: active_build_id };
}

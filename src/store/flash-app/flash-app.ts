// The table `flash_app`.

import type { FlashApp } from "../../domain/flash/app.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  created_at: number;
}

const COLUMNS = columnList<Row>()("id", "account_id", "name", "created_at");

/** False if the account has an app with this name. */
export function* insertFlashApp({ id, accountId, name, createdAt }: FlashApp): Tx<boolean> {
  const inserted = yield* change(
    "insert into flash_app (id, account_id, name, created_at) values (?, ?, ?, ?) on conflict do nothing",
    id,
    accountId,
    name,
    createdAt,
  );
  return inserted > 0;
}

export function* findFlashApp(id: string): Tx<FlashApp | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from flash_app where id = ?`, id);
  return found && fromRow(found);
}

/** Reads an app and locks it until the transaction commits. */
export function* lockFlashApp(id: string): Tx<FlashApp | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from flash_app where id = ? /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

export function* flashAppNamed(accountId: string, name: string): Tx<FlashApp | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from flash_app where account_id = ? and name = ?`,
    accountId,
    name,
  );
  return found && fromRow(found);
}

/** Ordered by name. */
export function* listFlashApps(accountId: string): Tx<FlashApp[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from flash_app where account_id = ? order by name, id`,
    accountId,
  );
  return found.map(fromRow);
}

export function* deleteFlashApp(id: string): Tx<void> {
  yield* change("delete from flash_app where id = ?", id);
}

/** For a change of the app, its environments or builds. */
export function* notifyFlashApp(accountId: string, id: string): Tx<void> {
  yield* notify(topic.changed(accountId, "flashApp", id));
}

function fromRow({ id, account_id, name, created_at }: Row): FlashApp {
  return { id, accountId: account_id, name, createdAt: created_at };
}

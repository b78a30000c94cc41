// The keys of machines' own commands, in the file `cli.key` of a data folder.

import type { Permissions } from "../../domain/account.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, type Tx } from "../engine/statement.ts";

/** Gives the key with this hash these permissions, and marks it. */
export function* markMachineKey(hash: string, permissions: Permissions): Tx<void> {
  const sql = "update api_key set of_machine = 1, permissions = ? where hash = ?";
  yield* change(sql, JSON.stringify(permissions), hash);
  yield* notify(topic.authCache);
}

export function* isMachineKey(id: string): Tx<boolean> {
  return (yield* row("select id from api_key where id = ? and of_machine = 1", id)) !== undefined;
}

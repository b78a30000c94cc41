// The table `ssh_key`: accounts' public keys.

import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: number;
}

/** False if the account has this key already. */
export function* insertSshKey(key: SshKey): Tx<boolean> {
  const inserted = yield* change(
    `insert into ssh_key (id, account_id, name, public_key, fingerprint, created_at)
     values (?, ?, ?, ?, ?, ?) on conflict (account_id, fingerprint) do nothing`,
    key.id,
    key.accountId,
    key.name,
    key.publicKey,
    key.fingerprint,
    key.createdAt,
  );
  yield* notify(topic.changed(key.accountId, "sshKey", key.id));
  return inserted > 0;
}

export function* findSshKey(id: string): Tx<SshKey | undefined> {
  const found = yield* row<Row>("select * from ssh_key where id = ?", id);
  return found && fromRow(found);
}

export function* listSshKeys(accountId: string): Tx<SshKey[]> {
  const found = yield* rows<Row>(
    "select * from ssh_key where account_id = ? order by created_at, id",
    accountId,
  );
  return found.map(fromRow);
}

export function* deleteSshKey(id: string, accountId: string): Tx<boolean> {
  const deleted = yield* change(
    "delete from ssh_key where id = ? and account_id = ?",
    id,
    accountId,
  );
  yield* notify(topic.changed(accountId, "sshKey", id));
  return deleted > 0;
}

function fromRow(found: Row): SshKey {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    publicKey: found.public_key,
    fingerprint: found.fingerprint,
    createdAt: found.created_at,
  };
}

// Accounts' SSH keys in the store.

import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: number;
}

/** False where the account has this key already. */
export function* insertSshKey(key: SshKey): Verb<boolean> {
  const made = yield* change(
    `insert into ssh_key (id, account_id, name, public_key, fingerprint, created_at)
     values (?, ?, ?, ?, ?, ?) on conflict (account_id, fingerprint) do nothing`,
    key.id,
    key.accountId,
    key.name,
    key.publicKey,
    key.fingerprint,
    key.createdAt,
  );
  yield* ring(topic.changed(key.accountId, "sshKey", key.id));
  return made > 0;
}

export function* findSshKey(id: string): Verb<SshKey | undefined> {
  const found = yield* row<Row>("select * from ssh_key where id = ?", id);
  return found && fromRow(found);
}

export function* listSshKeys(accountId: string): Verb<SshKey[]> {
  const found = yield* rows<Row>(
    "select * from ssh_key where account_id = ? order by created_at, id",
    accountId,
  );
  return found.map(fromRow);
}

export function* deleteSshKey(id: string, accountId: string): Verb<boolean> {
  const gone = yield* change("delete from ssh_key where id = ? and account_id = ?", id, accountId);
  yield* ring(topic.changed(accountId, "sshKey", id));
  return gone > 0;
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

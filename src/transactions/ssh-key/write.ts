// Inserting, labelling and deleting SSH keys of an account.

import { Fault } from "../../domain/fault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  deleteSshKey,
  findSshKey,
  insertSshKey,
  labelSshKey,
} from "../../store/ssh-key/ssh-key.ts";
import { requireRoom } from "../account/require-room.ts";

export function* addSshKey(key: SshKey): Tx<SshKey | Fault> {
  const refusal = yield* requireRoom("sshKey", key.accountId);
  if (refusal) return refusal;
  const isNew = yield* insertSshKey(key);
  return isNew ? key : new Fault("ssh_key_known", { fingerprint: key.fingerprint });
}

export function* saveSshKeyLabels(
  accountId: string,
  id: string,
  labels: Labels | undefined,
): Tx<SshKey | Fault> {
  const before = yield* findSshKey(id);
  if (before?.accountId !== accountId) return new Fault("ssh_key_not_found", { id });
  // What was read without a lock is not written: another request may have changed it since.
  if (labels === undefined) return before;
  const key = { ...before, labels };
  return (yield* labelSshKey(key)) ? key : new Fault("ssh_key_not_found", { id });
}

export function* removeSshKey(accountId: string, id: string): Tx<Fault | null> {
  const isDeleted = yield* deleteSshKey(id, accountId);
  return isDeleted ? null : new Fault("ssh_key_not_found", { id });
}

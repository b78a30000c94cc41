// Inserting accounts with their first keys: the first one of a service, and others by the operator.

import type { Account, ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import {
  findAccountIdByName,
  findManaged,
  firstAccount,
  insertAccount,
  lockAccount,
  type ManagedAccount,
  saveAccount,
} from "../../store/account/account.ts";
import { insertKey } from "../../store/api-key/api-key.ts";
import { markMachineKey } from "../../store/api-key/machine-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { ensureSetting } from "../../store/setting/setting.ts";
import { requireOperator } from "./require-operator.ts";
import { requireRoom } from "./require-room.ts";

/** Returns the first account, and whether it was inserted now. */
export function* addFirstAccount(account: Account): Tx<{ account: Account; isNew: boolean }> {
  const first = yield* firstAccount();
  if (first) return { account: first, isNew: false };
  // If several replicas start on a new database, one of them creates the account.
  if ((yield* ensureSetting("first_account", account.id)) !== account.id) {
    return { account: (yield* firstAccount())!, isNew: false };
  }
  yield* insertAccount(account);
  return { account, isNew: true };
}

/** Inserts a key unless it exists. One of a machine's own commands has full access again. */
export function* ensureFullKey(
  key: ApiKey,
  hash: string,
  { isOfMachine }: { isOfMachine: boolean },
): Tx<void> {
  yield* insertKey(key, hash);
  if (isOfMachine) yield* markMachineKey(hash, key.permissions);
}

export function* addAccount(
  by: string,
  account: ManagedAccount,
  first: { key: ApiKey; hash: string },
  { processesUnasked }: { processesUnasked: boolean },
): Tx<ManagedAccount | Fault> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  if (processesUnasked) return new Fault("not_offered", { detail: PROCESSES });
  // Serializes concurrent requests with the same name.
  yield* lockAccount(by);
  const { id, name, createdAt } = account;
  if (yield* findAccountIdByName(name)) return new Fault("name_taken", { noun: "account", name });
  yield* insertAccount({ id, name, webhookSecret: null, createdAt });
  yield* saveAccount(account);
  yield* insertKey(first.key, first.hash);
  return account;
}

const PROCESSES =
  "The process driver, which runs workloads with the rights of this service, is enabled by default. " +
  'To create more accounts, set FREEHOLD_DRIVERS to "docker", or to "docker,process" if every ' +
  "account may have those rights, and restart.";

export function* addAccountKey(by: string, key: ApiKey, hash: string): Tx<ApiKey | Fault> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  if (!(yield* findManaged(key.accountId))) {
    return new Fault("account_not_found", { id: key.accountId });
  }
  const full = yield* requireRoom("apiKey", key.accountId);
  if (full) return full;
  yield* insertKey(key, hash);
  return key;
}

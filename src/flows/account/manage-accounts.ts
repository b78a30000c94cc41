// Listing and changing accounts by the operator: an account's name, whether it is limited to its
// credits, and whether it is disabled.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Standing } from "../../domain/money/balance.ts";
import {
  findAccountIdByName,
  findManaged,
  listAccounts,
  lockAccount,
  type ManagedAccount,
  saveAccount,
} from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { standingOf } from "../../transactions/money/standing.ts";
import { throwRefusal } from "../throw-refusal.ts";

interface AccountsDeps {
  store: Store;
  clock: Clock;
}

export interface AccountView extends ManagedAccount, Standing {}

export interface AccountChanges {
  name?: string;
  limited?: boolean;
  disabled?: boolean;
}

/** All accounts, the operator's account first. */
export async function accountsFor(
  { store, clock }: AccountsDeps,
  by: string,
): Promise<AccountView[]> {
  return throwRefusal(store.read(readAll, by, clock.now()));
}

export async function accountFor(
  { store, clock }: AccountsDeps,
  by: string,
  id: string,
): Promise<AccountView> {
  return throwRefusal(store.read(readOne, by, id, clock.now()));
}

export async function changeAccount(
  { store, clock }: AccountsDeps,
  by: string,
  id: string,
  changes: AccountChanges,
): Promise<AccountView> {
  return throwRefusal(store.write(saveChanges, by, id, changes, clock.now()));
}

function* readAll(by: string, now: number): Tx<AccountView[] | Fault> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  const views: AccountView[] = [];
  for (const account of yield* listAccounts()) views.push(yield* viewOf(account, now));
  return views;
}

function* readOne(by: string, id: string, now: number): Tx<AccountView | Fault> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  const account = yield* findManaged(id);
  return account ? yield* viewOf(account, now) : new Fault("account_not_found", { id });
}

function* saveChanges(
  by: string,
  id: string,
  { name, limited, disabled }: AccountChanges,
  now: number,
): Tx<AccountView | Fault> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  // Locked before the changed account, to serialize concurrent requests with the same name.
  yield* lockAccount(by);
  const before = yield* lockAccount(id);
  if (!before) return new Fault("account_not_found", { id });
  if (disabled && id === by) {
    const detail =
      "The operator's own account cannot be disabled, because no other account could enable it again.";
    return new Fault("forbidden", { detail });
  }
  const named = name === undefined ? undefined : yield* findAccountIdByName(name);
  if (named !== undefined && named !== id) {
    return new Fault("name_taken", { noun: "account", name: name! });
  }
  const after = {
    ...before,
    name: name ?? before.name,
    limited: limited ?? before.limited,
    disabledAt:
      disabled === undefined ? before.disabledAt : disabled ? (before.disabledAt ?? now) : null,
  };
  yield* saveAccount(after);
  return yield* viewOf(after, now);
}

function* viewOf(account: ManagedAccount, now: number): Tx<AccountView> {
  return { ...account, ...(yield* standingOf(account.id, now)) };
}

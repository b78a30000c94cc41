// Listing and changing accounts by the operator: an account's name, whether it is limited to its
// credits, and whether it is disabled.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { BalanceStanding } from "../../domain/money/balance.ts";
import { findManaged, listAccounts, type ManagedAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { type AccountChanges, saveAccountChanges } from "../../transactions/account/change.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { standingOf } from "../../transactions/money/standing.ts";
import { throwRefusal } from "../throw-refusal.ts";

interface AccountsDeps {
  store: Store;
  clock: Clock;
}

export interface AccountView extends ManagedAccount, BalanceStanding {}

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
  changes: AccountChanges,
  now: number,
): Tx<AccountView | Fault> {
  const account = yield* saveAccountChanges(by, id, changes, now);
  return account instanceof Fault ? account : yield* viewOf(account, now);
}

function* viewOf(account: ManagedAccount, now: number): Tx<AccountView> {
  return { ...account, ...(yield* standingOf(account.id, now)) };
}

// The operator looks at the accounts there are, and changes one: its name, whether it may only use
// what it has, and whether it may do anything at all.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Standing } from "../../domain/money/balance.ts";
import {
  accountNamed,
  findManaged,
  keepStanding,
  listAccounts,
  lockAccount,
  type ManagedAccount,
} from "../../store/account/standing.ts";
import { standingOf } from "../../store/money/books.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mustBeOperator } from "./operator.ts";

interface Deps {
  store: Store;
  clock: Clock;
}

export interface AccountView extends ManagedAccount, Standing {}

export interface AccountChanges {
  name?: string;
  limited?: boolean;
  disabled?: boolean;
}

/** All of them, the operator's first. */
export async function accountsFor({ store, clock }: Deps, by: string): Promise<AccountView[]> {
  const found = await store.read(lookAtAll, by, clock.now());
  if (found instanceof Fault) throw found;
  return found;
}

export async function accountFor(
  { store, clock }: Deps,
  by: string,
  id: string,
): Promise<AccountView> {
  const found = await store.read(lookAtOne, by, id, clock.now());
  if (found instanceof Fault) throw found;
  return found;
}

export async function changeAccount(
  { store, clock }: Deps,
  by: string,
  id: string,
  changes: AccountChanges,
): Promise<AccountView> {
  const found = await store.write(keepChanges, by, id, changes, clock.now());
  if (found instanceof Fault) throw found;
  return found;
}

function* lookAtAll(by: string, now: number): Verb<AccountView[] | Fault> {
  const refusal = yield* mustBeOperator(by);
  if (refusal) return refusal;
  const views: AccountView[] = [];
  for (const account of yield* listAccounts()) views.push(yield* viewOf(account, now));
  return views;
}

function* lookAtOne(by: string, id: string, now: number): Verb<AccountView | Fault> {
  const refusal = yield* mustBeOperator(by);
  if (refusal) return refusal;
  const account = yield* findManaged(id);
  return account ? yield* viewOf(account, now) : new Fault("account_not_found", { id });
}

function* keepChanges(
  by: string,
  id: string,
  { name, limited, disabled }: AccountChanges,
  now: number,
): Verb<AccountView | Fault> {
  const refusal = yield* mustBeOperator(by);
  if (refusal) return refusal;
  // Before the one that changes, so that of two who give the same name the second waits.
  yield* lockAccount(by);
  const before = yield* lockAccount(id);
  if (!before) return new Fault("account_not_found", { id });
  if (disabled && id === by) {
    const detail = "The operator's own account cannot be disabled: nobody could enable it again.";
    return new Fault("forbidden", { detail });
  }
  const named = name === undefined ? undefined : yield* accountNamed(name);
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
  yield* keepStanding(after);
  return yield* viewOf(after, now);
}

function* viewOf(account: ManagedAccount, now: number): Verb<AccountView> {
  return { ...account, ...(yield* standingOf(account.id, now)) };
}

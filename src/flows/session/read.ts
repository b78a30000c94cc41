// The sessions that a key sees, as it sees keys, and who it is that asks.

import type { Clock } from "../../base/clock.ts";
import type { Account, ApiKey } from "../../domain/account.ts";
import { findAccount, firstAccount } from "../../store/account/account.ts";
import { type KeyedSession, listSessions } from "../../store/session/session.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mayManage } from "../account/keys.ts";

export async function sessionsOf(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
): Promise<KeyedSession[]> {
  const all = await store.read(listSessions, by.accountId, clock.now());
  return all.filter(({ key }) => mayManage(by, key));
}

export interface Self {
  account: Account;
  /** Whoever runs the service: machines and prices are his. */
  operator: boolean;
}

export async function selfOf({ store }: { store: Store }, accountId: string): Promise<Self> {
  return store.read(look, accountId);
}

function* look(accountId: string): Verb<Self> {
  const account = (yield* findAccount(accountId))!; // no key outlives its account
  return { account, operator: (yield* firstAccount())?.id === accountId };
}

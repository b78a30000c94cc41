// Reading the sessions that a key can see, and the current session's account.

import type { Clock } from "../../base/clock.ts";
import type { Account, ApiKey } from "../../domain/account.ts";
import { mayManage } from "../../domain/key-access.ts";
import { findAccount, firstAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPassword } from "../../store/password/password.ts";
import { findTotp } from "../../store/password/totp.ts";
import { type KeyedSession, listKeyedSessions } from "../../transactions/session/find.ts";

export async function sessionsOf(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
): Promise<KeyedSession[]> {
  const all = await store.read(listKeyedSessions, by.accountId, clock.now());
  return all.filter(({ key }) => mayManage(by, key));
}

export interface Self {
  account: Account;
  /** Whether it is the operator's account, which manages machines and prices. */
  operator: boolean;
  /** Null without a password. */
  passwordSetAt: number | null;
  /** Null without one-time codes. */
  totpConfirmedAt: number | null;
}

export async function selfOf({ store }: { store: Store }, by: ApiKey): Promise<Self> {
  return store.read(readSelf, by);
}

function* readSelf({ accountId, member }: ApiKey): Tx<Self> {
  const account = (yield* findAccount(accountId))!; // no key outlives its account
  const operator = (yield* firstAccount())?.id === accountId;
  const password = member && (yield* findPassword(member.id));
  const totp = member && (yield* findTotp(member.id));
  return {
    account,
    operator,
    passwordSetAt: password?.setAt ?? null,
    totpConfirmedAt: totp?.confirmedAt ?? null,
  };
}

// The account that a rule of the operator's table names.

import { firstAccount, listAccounts } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";

/** The account with this id, else the only one with this name; null is the operator's. Undefined if there is no such account. */
export function* accountOfRule(named: string | null): Tx<string | undefined> {
  if (named === null) return (yield* firstAccount())?.id;
  const accounts = yield* listAccounts();
  if (accounts.some(({ id }) => id === named)) return named;
  const [account, ...others] = accounts.filter(({ name }) => name === named);
  return others.length === 0 ? account?.id : undefined;
}

// The quota of a whole account. One that is not the operator's reserves no GPU unless the operator allows it: a reservation costs
// nothing, and keeps GPUs from the others.

import type { Quota } from "../../domain/quota/quota.ts";
import { firstAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Quotas } from "../../store/quota/quota.ts";

export function* accountQuota(accountId: string, quotas: Quotas | null): Tx<Quota> {
  const { account = {} } = quotas ?? {};
  if (account.reservedGpus !== undefined) return account;
  const isOperator = (yield* firstAccount())?.id === accountId;
  return isOperator ? account : { ...account, reservedGpus: 0 };
}

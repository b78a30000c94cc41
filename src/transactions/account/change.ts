// Changing an account: its name, its limit and whether it is disabled, by the operator, and the secret
// that signs its webhooks.

import { Fault } from "../../domain/fault.ts";
import type { MaxLifetime } from "../../domain/usage/lifetime.ts";
import {
  findAccountIdByName,
  lockAccount,
  type ManagedAccount,
  saveAccount,
  setWebhookSecret,
} from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireOperator } from "./require-operator.ts";

export interface AccountChanges {
  name?: string;
  limited?: boolean;
  disabled?: boolean;
  /** Null removes it. */
  maxLifetime?: MaxLifetime | null;
}

/** Null removes the secret. */
export function* saveWebhookSecret(accountId: string, secret: string | null): Tx<void> {
  yield* setWebhookSecret(accountId, secret);
}

export function* saveAccountChanges(
  by: string,
  id: string,
  { name, limited, disabled, maxLifetime }: AccountChanges,
  now: number,
): Tx<ManagedAccount | Fault> {
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
  const namesakeId = name === undefined ? undefined : yield* findAccountIdByName(name);
  if (namesakeId !== undefined && namesakeId !== id) {
    return new Fault("name_taken", { noun: "account", name: name! });
  }
  const after = {
    ...before,
    name: name ?? before.name,
    limited: limited ?? before.limited,
    maxLifetime: maxLifetime === undefined ? before.maxLifetime : maxLifetime,
    disabledAt:
      disabled === undefined ? before.disabledAt : disabled ? (before.disabledAt ?? now) : null,
  };
  yield* saveAccount(after);
  return after;
}

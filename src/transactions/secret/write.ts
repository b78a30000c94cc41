// Inserting, changing and deleting secrets. Workloads get a new value at their next start.

import { Fault } from "../../domain/fault.ts";
import type { Secret } from "../../domain/secret/secret.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { changeSecret, deleteSecret, insertSecret, lockSecret } from "../../store/secret/secret.ts";
import { requireRoom } from "../account/require-room.ts";
import { requireMembership } from "../member/require-membership.ts";

export function* addSecret(secret: Secret): Tx<Secret | Fault> {
  const { accountId, name } = secret;
  const refusal = (yield* requireMembership(secret)) ?? (yield* requireRoom("secret", accountId));
  if (refusal) return refusal;
  if (yield* insertSecret(secret)) return secret;
  return new Fault("name_taken", { noun: "secret", name });
}

/** `value` is sealed. */
export function* saveSecret(
  accountId: string,
  id: string,
  changes: Partial<Pick<Secret, "value" | "description" | "labels">>,
  now: number,
): Tx<Secret | Fault> {
  const before = yield* lockSecret(id);
  if (before?.accountId !== accountId) return new Fault("secret_not_found", { id });
  const secret = {
    ...before,
    ...changes,
    changedAt: now,
    valueChangedAt: changes.value === undefined ? before.valueChangedAt : now,
  };
  yield* changeSecret(secret);
  return secret;
}

export function* removeSecret(accountId: string, id: string): Tx<Fault | null> {
  const isDeleted = yield* deleteSecret(id, accountId);
  return isDeleted ? null : new Fault("secret_not_found", { id });
}

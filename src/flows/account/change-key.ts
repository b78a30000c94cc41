// Changing, disabling and revoking an API key. A key cannot manage a key with more permissions.

import type { Clock } from "../../base/clock.ts";
import { type ApiKey, beyond, type Permissions } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { changeKey, lockKey, revokeKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { requireGrantable } from "../../transactions/api-key/require-grantable.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type KeyView, mayManage } from "./keys.ts";

export interface KeyChanges {
  name?: string;
  permissions?: Partial<Permissions>;
  disabled?: boolean;
}

export async function changeKeyOf(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
  changes: KeyChanges,
): Promise<KeyView> {
  return throwRefusal(store.write(keepChange, by, id, changes, clock.now()));
}

export async function revokeKeyOf(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(revoke, by, id, clock.now()));
}

function* keepChange(
  by: ApiKey,
  id: string,
  { name, permissions, disabled }: KeyChanges,
  now: number,
): Tx<KeyView | Fault> {
  const before = yield* findChangeable(by, id);
  if (before instanceof Fault) return before;
  const key = {
    ...before,
    name: name ?? before.name,
    permissions: { ...before.permissions, ...permissions },
    disabledAt: disabled === undefined ? before.disabledAt : disabled ? now : null,
  };
  const refusal = permissions ? yield* requireGrantable(by, key.permissions) : null;
  if (refusal) return refusal;
  yield* changeKey(key);
  return key;
}

function* revoke(by: ApiKey, id: string, now: number): Tx<Fault | null> {
  const key = yield* findChangeable(by, id);
  if (key instanceof Fault) return key;
  yield* revokeKey(id, by.accountId, now);
  return null;
}

function* findChangeable(by: ApiKey, id: string): Tx<KeyView | Fault> {
  const key = yield* lockKey(id, by.accountId);
  if (!key || !mayManage(by, key)) return new Fault("key_not_found", { id });
  const more = beyond(by.permissions, key.permissions);
  if (more.length === 0) return key;
  const detail = `A key cannot change a key with more permissions; yours lacks ${more.join(" and ")}.`;
  return new Fault("forbidden", { detail });
}

// Someone changes, disables or revokes an API key: any that can do no more than the one that asks.

import type { Clock } from "../../base/clock.ts";
import { type ApiKey, beyond, type Permissions } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { changeKey, lockKey, revokeKey } from "../../store/account/account.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { type KeyView, mayManage } from "./keys.ts";
import { mayNotGive } from "./may-not-give.ts";

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
  const result = await store.write(keepChange, by, id, changes, clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

export async function revokeKeyOf(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
): Promise<void> {
  const refusal = await store.write(revoke, by, id, clock.now());
  if (refusal) throw refusal;
}

function* keepChange(
  by: ApiKey,
  id: string,
  { name, permissions, disabled }: KeyChanges,
  now: number,
): Verb<KeyView | Fault> {
  const before = yield* findChangeable(by, id);
  if (before instanceof Fault) return before;
  const key = {
    ...before,
    name: name ?? before.name,
    permissions: { ...before.permissions, ...permissions },
    disabledAt: disabled === undefined ? before.disabledAt : disabled ? now : null,
  };
  const refusal = permissions ? yield* mayNotGive(by, key.permissions) : null;
  if (refusal) return refusal;
  yield* changeKey(key);
  return key;
}

function* revoke(by: ApiKey, id: string, now: number): Verb<Fault | null> {
  const key = yield* findChangeable(by, id);
  if (key instanceof Fault) return key;
  yield* revokeKey(id, by.accountId, now);
  return null;
}

function* findChangeable(by: ApiKey, id: string): Verb<KeyView | Fault> {
  const key = yield* lockKey(id, by.accountId);
  if (!key || !mayManage(by, key)) return new Fault("key_not_found", { id });
  const more = beyond(by.permissions, key.permissions);
  if (more.length === 0) return key;
  const detail = `A key cannot change one that may do more; yours lacks ${more.join(" and ")}.`;
  return new Fault("forbidden", { detail });
}

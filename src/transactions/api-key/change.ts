// Changing, disabling and revoking an API key. A key cannot manage a key with more permissions.

import { type ApiKey, beyond, type Permissions } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { mayManage } from "../../domain/key-access.ts";
import type { Labels } from "../../domain/label/labels.ts";
import { changeKey, type ListedKey, revokeKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireMachineKey } from "../account/require-machine-key.ts";
import { lockCaller } from "./lock-caller.ts";
import { requireGrantable } from "./require-grantable.ts";

export interface KeyChanges {
  name?: string;
  labels?: Labels;
  permissions?: Partial<Permissions>;
  disabled?: boolean;
}

export function* saveKey(
  caller: ApiKey,
  id: string,
  { name, labels, permissions, disabled }: KeyChanges,
  now: number,
): Tx<ListedKey | Fault> {
  const changeable = yield* lockChangeable(caller, id);
  if (changeable instanceof Fault) return changeable;
  const { by, key: before } = changeable;
  const key = {
    ...before,
    name: name ?? before.name,
    labels: labels ?? before.labels,
    permissions: { ...before.permissions, ...permissions },
    disabledAt: disabled === undefined ? before.disabledAt : disabled ? now : null,
  };
  const limits = permissions !== undefined || disabled !== undefined;
  const refusal =
    (limits ? yield* requireMachineKey(by, id) : null) ??
    (permissions ? yield* requireGrantable(by, key.permissions) : null);
  if (refusal) return refusal;
  yield* changeKey(key);
  return key;
}

export function* removeKey(by: ApiKey, id: string, now: number): Tx<Fault | null> {
  const changeable = yield* lockChangeable(by, id);
  if (changeable instanceof Fault) return changeable;
  const refusal = yield* requireMachineKey(by, id);
  if (refusal) return refusal;
  yield* revokeKey(id, by.accountId, now);
  return null;
}

function* lockChangeable(
  caller: ApiKey,
  id: string,
): Tx<{ by: ListedKey; key: ListedKey } | Fault> {
  const locked = yield* lockCaller(caller, { keyId: id });
  if (locked instanceof Fault) return locked;
  const { by, key } = locked;
  if (!key || !mayManage(by, key)) return new Fault("key_not_found", { id });
  const more = beyond(by.permissions, key.permissions);
  if (more.length === 0) return { by, key };
  const detail = `A key cannot change a key with more permissions; yours lacks ${more.join(" and ")}.`;
  return new Fault("forbidden", { detail });
}

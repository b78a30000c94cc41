// The steps of a device login. The new key is made when it is collected, so that the store
// keeps no secret, and each key has reached its client.

import type { ApiKey } from "../../domain/account.ts";
import {
  type DeviceApproval,
  type DeviceLogin,
  MAX_OPEN_LOGINS,
  statusOfLogin,
} from "../../domain/device-login.ts";
import { Fault } from "../../domain/fault.ts";
import { isDisabled } from "../../store/account/account.ts";
import { findKey, tieKeyToSignIn } from "../../store/api-key/api-key.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  countOpenLogins,
  findDeviceLogin,
  insertDeviceLogin,
  lockDeviceLogin,
  stepDeviceLogin,
} from "../../store/session/device-login.ts";
import { holdSetting } from "../../store/setting/setting.ts";
import { lockSignInOfKey } from "../../store/sign-in/sign-in.ts";
import { insertOwnKey } from "../api-key/insert-key.ts";
import { requireGrantable } from "../api-key/require-grantable.ts";
import { requireUnbudgetedKey } from "../budget/require-unbudgeted-key.ts";

export function* beginDeviceLogin(login: DeviceLogin, hash: string): Tx<Fault | null> {
  // Two transactions could both take the last place.
  yield* holdSetting("device-login-lock");
  const { ofAddress, inAll } = yield* countOpenLogins(login.address, login.createdAt);
  if (ofAddress >= MAX_OPEN_LOGINS.perAddress || inAll >= MAX_OPEN_LOGINS.inAll) {
    return new Fault("rate_limited", { detail: "too many logins wait for an approval" });
  }
  yield* insertDeviceLogin(login, hash);
  return null;
}

interface Decision {
  hash: string;
  /** The key of the person who decides. */
  by: ApiKey;
  /** The name of the new key; null to deny. */
  name: string | null;
  now: number;
}

export function* decideDeviceLogin({ hash, by, name, now }: Decision): Tx<DeviceLogin | Error> {
  const login = yield* lockDeviceLogin(hash);
  if (!login) return new Fault("device_login_not_found");
  const status = statusOfLogin(login, now);
  if (status !== "PENDING") {
    return new Fault("device_login_over", { status: status.toLowerCase() });
  }
  const refusal = name === null ? null : yield* refusalOf(by);
  if (refusal) return refusal;
  const approval = name === null ? null : { accountId: by.accountId, keyId: by.id, name };
  yield* stepDeviceLogin(hash, approval ? "approve" : "deny", now, approval);
  return (yield* findDeviceLogin(hash))!;
}

/** Told to the approver, and not to the client that collects. */
function* refusalOf(by: ApiKey): Tx<Error | null> {
  return (
    (yield* requireUnbudgetedKey(by)) ??
    (yield* requireGrantable(by, by.permissions)) ??
    (yield* requireCheckable(by))
  );
}

/** The key ends when the sign-in provider withdraws the approver's sign-in, so the provider must be one that can be asked. */
function* requireCheckable(by: ApiKey): Tx<Fault | null> {
  const signIn = yield* lockSignInOfKey(by.id);
  if (!signIn || signIn.refreshToken !== null) return null;
  const detail =
    "Your sign-in cannot approve a device: the sign-in provider gave no refresh token, with which " +
    "the service would notice that you left. Ask your administrator to add the scope offline_access.";
  return new Fault("forbidden", { detail });
}

interface Collection {
  hash: string;
  /** The new key's id, and its secret's last characters and hash. */
  keyId: string;
  hint: string;
  keyHash: string;
  now: number;
}

/** Makes the key if the login is approved; the first caller gets it. */
export function* collectDeviceLogin(
  collection: Collection,
): Tx<{ login: DeviceLogin; isNew: boolean } | Fault> {
  const { hash, now } = collection;
  const login = yield* lockDeviceLogin(hash);
  if (!login) return new Fault("device_login_not_found");
  const { approval } = login;
  if (statusOfLogin(login, now) !== "APPROVED" || !approval) return { login, isNew: false };
  const isNew = yield* makeKey(collection, login, approval);
  yield* stepDeviceLogin(hash, isNew ? "collect" : "withdraw", now, approval);
  return { login: (yield* findDeviceLogin(hash))!, isNew };
}

/** False if the approver may not make it any more. */
function* makeKey(
  { keyId, hint, keyHash, now }: Collection,
  { address }: DeviceLogin,
  { accountId, keyId: byId, name }: DeviceApproval,
): Tx<boolean> {
  const signIn = yield* lockSignInOfKey(byId);
  // It is locked after its member, as it inserts the key.
  const by = yield* findKey(byId, accountId);
  if (!by || by.disabledAt !== null || (yield* isDisabled(accountId))) return false;
  const { member, permissions } = by;
  const key = { id: keyId, accountId, name, hint, member, permissions, createdAt: now };
  const refusal = yield* insertOwnKey(by, { ...key, disabledAt: null }, keyHash, address);
  if (refusal) return false;
  if (signIn) yield* tieKeyToSignIn(keyId, signIn.id);
  yield* appendEntry({
    accountId,
    at: now,
    actor: { kind: "key", keyId: byId },
    via: "graphql",
    operation: "collectDeviceLogin",
    resourceType: "key",
    resourceId: keyId,
    outcome: "done",
    detail: "",
    address,
  });
  return true;
}

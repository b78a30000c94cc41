// Device logins: a client begins one without a key, a person decides, and the client collects a key.

import { hashSecret } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import {
  DEVICE_LOGIN_MS,
  type DeviceLogin,
  type DeviceLoginStatus,
  statusOfLogin,
} from "../../domain/device-login.ts";
import { Fault } from "../../domain/fault.ts";
import { LONGEST_AGENT } from "../../domain/session.ts";
import { findDeviceLogin } from "../../store/session/device-login.ts";
import {
  beginDeviceLogin,
  collectDeviceLogin,
  decideDeviceLogin,
} from "../../transactions/session/device-login.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface DeviceLoginView extends Omit<DeviceLogin, "state"> {
  status: DeviceLoginStatus;
}

/** The id opens the login: who has it can collect the key. */
export async function beginLogin(
  { store, clock, ids }: FlowDeps,
  { address, agent }: { address: string; agent: string },
): Promise<{ id: string; login: DeviceLoginView }> {
  const id = ids.secret("fhl_");
  const createdAt = clock.now();
  const login: DeviceLogin = {
    state: "PENDING",
    address,
    agent: agent.slice(0, LONGEST_AGENT),
    createdAt,
    expiresAt: createdAt + DEVICE_LOGIN_MS,
    approval: null,
  };
  await throwRefusal(store.write(beginDeviceLogin, login, hashSecret(id)));
  return { id, login: viewOf(login, createdAt) };
}

export async function readLogin({ store, clock }: FlowDeps, id: string): Promise<DeviceLoginView> {
  const login = await store.read(findDeviceLogin, hashSecret(id));
  if (!login) throw new Fault("device_login_not_found");
  return viewOf(login, clock.now());
}

/** `name` is the name of the new key; null denies the login. */
export async function decideLogin(
  { store, clock }: FlowDeps,
  by: ApiKey,
  id: string,
  name: string | null,
): Promise<DeviceLoginView> {
  const now = clock.now();
  const decision = { hash: hashSecret(id), by, name, now };
  const login = await store.write(decideDeviceLogin, decision);
  if (login instanceof Error) throw login;
  return viewOf(login, now);
}

/** The status as the client reads it; with the key, once, if the login was approved. */
export async function collectLogin(
  deps: FlowDeps,
  id: string,
): Promise<{ login: DeviceLoginView; secret: string | null }> {
  const { store, clock, ids } = deps;
  const known = await readLogin(deps, id);
  if (known.status !== "APPROVED") return { login: known, secret: null };
  const secret = ids.secret("fh_");
  const now = clock.now();
  const { login, isNew } = await throwRefusal(
    store.write(collectDeviceLogin, {
      hash: hashSecret(id),
      keyId: ids.short(14),
      hint: secret.slice(-4),
      keyHash: hashSecret(secret),
      now,
    }),
  );
  return { login: viewOf(login, now), secret: isNew ? secret : null };
}

function viewOf({ state, ...login }: DeviceLogin, now: number): DeviceLoginView {
  return { ...login, status: statusOfLogin({ state, expiresAt: login.expiresAt }, now) };
}

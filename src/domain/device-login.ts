// A device login: a command-line client without a key asks for one, a signed-in person approves it in the
// console, and the client collects a new key once.

import { HOUR_MS } from "../base/units.ts";

export type DeviceLoginState = "PENDING" | "APPROVED" | "DENIED" | "CONSUMED";

/** What clients read; a login that was not collected in time is expired. */
export type DeviceLoginStatus = DeviceLoginState | "EXPIRED";

export interface DeviceLogin {
  state: DeviceLoginState;
  /** Where the client called from, and its User-Agent. */
  address: string;
  agent: string;
  createdAt: number;
  expiresAt: number;
  approval: DeviceApproval | null;
}

export interface DeviceApproval {
  accountId: string;
  /** The key that the approver signed in with. The new key has its permissions. */
  keyId: string;
  /** The name of the new key. */
  name: string;
}

/** The states that each step leads from and to. */
export const deviceLoginSteps = {
  approve: { from: "PENDING", to: "APPROVED" },
  deny: { from: "PENDING", to: "DENIED" },
  collect: { from: "APPROVED", to: "CONSUMED" },
  /** The approver's key was removed before the client collected. */
  withdraw: { from: "APPROVED", to: "DENIED" },
} as const satisfies Record<string, { from: DeviceLoginState; to: DeviceLoginState }>;

export type DeviceLoginStep = keyof typeof deviceLoginSteps;

export const DEVICE_LOGIN_MS = 600_000;
/** Clients read that a login has expired for this long; then it is unknown. */
export const DEVICE_LOGIN_KEPT_MS = HOUR_MS;
/** A login begins without a key, so the number of open ones is limited. */
export const MAX_OPEN_LOGINS = { perAddress: 5, inAll: 1_000 };

export function statusOfLogin(
  { state, expiresAt }: Pick<DeviceLogin, "state" | "expiresAt">,
  now: number,
): DeviceLoginStatus {
  const isOpen = state === "PENDING" || state === "APPROVED";
  return isOpen && expiresAt <= now ? "EXPIRED" : state;
}

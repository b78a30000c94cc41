// The table `device_login`. The id opens the login, so only its SHA-256 is stored.

import {
  type DeviceApproval,
  type DeviceLogin,
  type DeviceLoginState,
  type DeviceLoginStep,
  deviceLoginSteps,
} from "../../domain/device-login.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, row, type Tx } from "../engine/statement.ts";

interface Row {
  state: DeviceLoginState;
  address: string;
  agent: string;
  created_at: number;
  expires_at: number;
  account_id: string | null;
  key_id: string | null;
  name: string | null;
}

const COLUMNS = columnList<Row>()(
  "state",
  "address",
  "agent",
  "created_at",
  "expires_at",
  "account_id",
  "key_id",
  "name",
);

export function* insertDeviceLogin(login: DeviceLogin, hash: string): Tx<void> {
  yield* change(
    `insert into device_login (hash, state, address, agent, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?)`,
    hash,
    login.state,
    login.address,
    login.agent,
    login.createdAt,
    login.expiresAt,
  );
}

export function* findDeviceLogin(hash: string): Tx<DeviceLogin | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from device_login where hash = ?`, hash);
  return found && fromRow(found);
}

/** Reads a login and locks it until the transaction commits. */
export function* lockDeviceLogin(hash: string): Tx<DeviceLogin | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from device_login where hash = ? /*+ for update */`,
    hash,
  );
  return found && fromRow(found);
}

/** How many logins wait for an approval: those of one address, and all. */
export function* countOpenLogins(
  address: string,
  now: number,
): Tx<{ ofAddress: number; inAll: number }> {
  const found = yield* row<{ of_address: number; in_all: number }>(
    `select count(case when address = ? then 1 end) as of_address, count(*) as in_all
     from device_login where expires_at > ? and state = 'PENDING'`,
    address,
    now,
  );
  return { ofAddress: found!.of_address, inAll: found!.in_all };
}

/** False if the login is not in the state that the step leads from, or has expired. */
export function* stepDeviceLogin(
  hash: string,
  step: DeviceLoginStep,
  now: number,
  approval: DeviceApproval | null,
): Tx<boolean> {
  const { from, to } = deviceLoginSteps[step];
  const changed = yield* change(
    `update device_login set state = ?, account_id = ?, key_id = ?, name = ?
     where hash = ? and state = ? and expires_at > ?`,
    to,
    approval?.accountId ?? null,
    approval?.keyId ?? null,
    approval?.name ?? null,
    hash,
    from,
    now,
  );
  return changed > 0;
}

export function* forgetDeviceLogins(expiredBefore: number): Tx<void> {
  yield* change("delete from device_login where expires_at < ?", expiredBefore);
}

function fromRow(found: Row): DeviceLogin {
  const { account_id: accountId, key_id: keyId, name } = found;
  return {
    state: found.state,
    address: found.address,
    agent: found.agent,
    createdAt: found.created_at,
    expiresAt: found.expires_at,
    approval: accountId && keyId && name ? { accountId, keyId, name } : null,
  };
}

// The operator makes an account, and the first key that opens it.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import { type ApiKey, everything } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { insertAccount, insertKey } from "../../store/account/account.ts";
import {
  accountNamed,
  findManaged,
  keepStanding,
  lockAccount,
  type ManagedAccount,
} from "../../store/account/standing.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { makes } from "../audit/act.ts";
import { mustBeWhole } from "./may-not-give.ts";
import { mustBeOperator } from "./operator.ts";

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** Whether processes run here although nobody asked for them: then they are one account's alone. */
  processesUnasked: boolean;
}

export interface NewAccount {
  by: ApiKey;
  name: string;
  /** Whether it may only use the credits it is given. */
  limited: boolean;
}

export async function makeAccount(
  deps: Deps,
  { by, name, limited }: NewAccount,
): Promise<{ account: ManagedAccount; secret: string }> {
  mustBeWhole(by);
  const { clock, ids } = deps;
  const account = {
    id: `user_${ids.short(27)}`,
    name,
    limited,
    disabledAt: null,
    createdAt: clock.now(),
  };
  makes(account.id);
  const { key, secret } = fullKey(deps, account.id, "first key");
  const refusal = await deps.store.write(keepNew, by.accountId, account, key, hashSecret(secret), {
    processesUnasked: deps.processesUnasked,
  });
  if (refusal) throw refusal;
  return { account, secret };
}

/** A further key that opens everything in an account, for who has lost his. */
export async function makeKeyFor(
  deps: Deps,
  by: ApiKey,
  accountId: string,
  name: string,
): Promise<{ key: ApiKey; secret: string }> {
  mustBeWhole(by);
  const { key, secret } = fullKey(deps, accountId, name);
  const refusal = await deps.store.write(keepKey, by.accountId, key, hashSecret(secret));
  if (refusal) throw refusal;
  return { key, secret };
}

function fullKey({ clock, ids }: Deps, accountId: string, name: string) {
  const secret = ids.secret("fh_");
  const hint = secret.slice(-4);
  const times = { createdAt: clock.now(), disabledAt: null };
  const key: ApiKey = {
    id: ids.short(14),
    accountId,
    name,
    hint,
    member: null,
    permissions: everything,
    ...times,
  };
  return { key, secret };
}

function* keepNew(
  by: string,
  account: ManagedAccount,
  key: ApiKey,
  hash: string,
  { processesUnasked }: Pick<Deps, "processesUnasked">,
): Verb<Fault | null> {
  const refusal = yield* mustBeOperator(by);
  if (refusal) return refusal;
  if (processesUnasked) return new Fault("not_offered", { detail: PROCESSES });
  // Of two who make the same, the second waits here.
  yield* lockAccount(by);
  const { id, name, createdAt } = account;
  if (yield* accountNamed(name)) return new Fault("name_taken", { noun: "account", name });
  yield* insertAccount({ id, name, webhookSecret: null, createdAt });
  yield* keepStanding(account);
  yield* insertKey(key, hash);
  return null;
}

const PROCESSES =
  "Processes have the rights of this service, and run here because no drivers were chosen. Choose " +
  'with FREEHOLD_DRIVERS, "docker" or, where every account may have those rights, ' +
  '"docker,process"; then start again and make further accounts.';

function* keepKey(by: string, key: ApiKey, hash: string): Verb<Fault | null> {
  const refusal = yield* mustBeOperator(by);
  if (refusal) return refusal;
  if (!(yield* findManaged(key.accountId))) {
    return new Fault("account_not_found", { id: key.accountId });
  }
  yield* insertKey(key, hash);
  return null;
}

// Inserting a container registry auth, and changing its credentials. Later pulls use the new ones.

import { Fault } from "../../domain/fault.ts";
import type { RegistryAuth } from "../../domain/registry-auth.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  changeRegistryAuth,
  insertRegistryAuth,
  lockRegistryAuth,
} from "../../store/registry-auth/registry-auth.ts";
import { requireRoom } from "../account/require-room.ts";
import { requireMembership } from "../member/require-membership.ts";

export function* addRegistryAuth(auth: RegistryAuth): Tx<RegistryAuth | Fault> {
  const { accountId, name } = auth;
  const refusal =
    (yield* requireMembership(auth)) ?? (yield* requireRoom("registryAuth", accountId));
  if (refusal) return refusal;
  if (yield* insertRegistryAuth(auth)) return auth;
  return new Fault("name_taken", { noun: "container registry auth", name });
}

/** `credentials` are sealed. */
export function* saveCredentials(
  accountId: string,
  id: string,
  credentials: string,
): Tx<RegistryAuth | Fault> {
  const auth = yield* lockRegistryAuth(id);
  if (auth?.accountId !== accountId) return new Fault("registry_auth_not_found", { id });
  yield* changeRegistryAuth(id, credentials);
  return auth;
}

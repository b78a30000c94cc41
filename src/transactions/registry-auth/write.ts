// Inserting a container registry auth, and changing its credentials and labels. Later pulls use the new credentials.

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
export function* saveRegistryAuth(
  accountId: string,
  id: string,
  changes: Partial<Pick<RegistryAuth, "credentials" | "labels">>,
): Tx<RegistryAuth | Fault> {
  const before = yield* lockRegistryAuth(id);
  if (before?.accountId !== accountId) return new Fault("registry_auth_not_found", { id });
  const auth = { ...before, ...changes };
  yield* changeRegistryAuth(auth);
  return auth;
}

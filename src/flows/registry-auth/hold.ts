// Whether something may name a container registry auth.

import { Fault } from "../../domain/fault.ts";
import { holdRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import type { Verb } from "../../store/statement.ts";

/** The fault that says why it may not, or null; it is not deleted before the turn's commit. */
export function* noSuchAuth(accountId: string, id: string | null): Verb<Fault | null> {
  if (!id) return null;
  const auth = yield* holdRegistryAuth(id);
  if (auth?.accountId === accountId) return null;
  const detail = `"containerRegistryAuthId" must be of your container registry auths; there is no "${id.slice(0, 80)}".`;
  return new Fault("invalid_body", { detail });
}

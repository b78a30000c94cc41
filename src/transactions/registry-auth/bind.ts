// The registry that a credential without one goes to from its first use on.

import type { RegistryAuth } from "../../domain/registry-auth.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { bindRegistryAuth } from "../../store/registry-auth/registry-auth.ts";

/** The credential as it is bound, perhaps by another start; undefined if it is gone. */
export function* bindToRegistry(id: string, registry: string): Tx<RegistryAuth | undefined> {
  return yield* bindRegistryAuth(id, registry);
}

// Checks that a registry auth exists in an account and is for an image's registry.

import { Fault } from "../../domain/fault.ts";
import { wrongRegistry } from "../../domain/registry-auth.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockRegistryAuthShared } from "../../store/registry-auth/registry-auth.ts";

interface AuthReference {
  /** Empty or null for none. */
  containerRegistryAuthId: string | null;
  imageName: string;
}

/**
 * Returns a fault if it does not, or null. The registry auth is not deleted until the transaction
 * commits.
 */
export function* requireRegistryAuth(
  accountId: string,
  { containerRegistryAuthId: id, imageName }: AuthReference,
): Tx<Fault | null> {
  if (!id) return null;
  const auth = yield* lockRegistryAuthShared(id);
  if (auth?.accountId === accountId) {
    const wrong = wrongRegistry(auth, imageName);
    if (wrong === null) return null;
    return new Fault("invalid_body", { detail: `"containerRegistryAuthId": ${wrong}.` });
  }
  const detail = `"containerRegistryAuthId" must be of your container registry auths; there is no "${id.slice(0, 80)}".`;
  return new Fault("invalid_body", { detail });
}

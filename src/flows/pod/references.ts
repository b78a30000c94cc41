// Checks that the registry auth and the secrets that a Pod names exist.

import type { Fault } from "../../domain/fault.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireRegistryAuth } from "../../transactions/registry-auth/require-registry-auth.ts";
import { requireSecrets } from "../../transactions/secret/require-secrets.ts";

/** The fault that names what is missing, or null. */
export function* missingReference(
  { accountId, ownerId }: { accountId: string; ownerId: string | null },
  spec: PodSpec,
): Tx<Fault | null> {
  return (
    (yield* requireRegistryAuth(accountId, spec)) ??
    (yield* requireSecrets(accountId, ownerId, spec.env))
  );
}

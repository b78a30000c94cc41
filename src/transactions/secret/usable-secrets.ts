// The secrets that a workload may use, by the member that it belongs to.

import { seesOwnOnly } from "../../domain/member/roles.ts";
import type { Secret } from "../../domain/secret/secret.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findRole } from "../../store/member/member.ts";
import { secretsNamed } from "../../store/secret/secret.ts";

/**
 * The secrets with these names. A member whose role sees only its own uses only secrets of its own, and no other workload uses them:
 * the member may change them at any time.
 */
export function* usableSecrets(
  accountId: string,
  ownerId: string | null,
  names: readonly string[],
): Tx<Secret[]> {
  const secrets = yield* secretsNamed(accountId, names);
  if (secrets.length === 0) return secrets;
  const isLimited = yield* limitedAmong([
    ownerId,
    ...secrets.map(({ owner }) => owner?.id ?? null),
  ]);
  return secrets.filter(({ owner }) => {
    const secretOwner = owner?.id ?? null;
    return secretOwner === ownerId || !(isLimited.has(ownerId) || isLimited.has(secretOwner));
  });
}

/** The owners whose roles see only their own. */
function* limitedAmong(owners: readonly (string | null)[]): Tx<ReadonlySet<string | null>> {
  const limited = new Set<string | null>();
  for (const id of new Set(owners)) {
    if (id !== null && seesOwnOnly(yield* findRole(id))) limited.add(id);
  }
  return limited;
}

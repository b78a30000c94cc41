// Whether what a Pod refers to by name is there: what opens its image's registry, and secrets.

import type { Fault } from "../../domain/fault.ts";
import type { PodSpec } from "../../domain/pod/pod.ts";
import type { Verb } from "../../store/statement.ts";
import { noSuchAuth } from "../registry-auth/hold.ts";
import { noSuchSecrets } from "../secret/missing.ts";

/** The fault that names what is not, or null. */
export function* refersToNothing(
  accountId: string,
  { containerRegistryAuthId, env }: PodSpec,
): Verb<Fault | null> {
  return (
    (yield* noSuchAuth(accountId, containerRegistryAuthId)) ??
    (yield* noSuchSecrets(accountId, env))
  );
}

// Checks that the secrets that a workload's variables refer to exist.

import { Fault } from "../../domain/fault.ts";
import { secretsIn } from "../../domain/secret/secret.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { usableSecrets } from "./usable-secrets.ts";

/** Returns a fault that names the secrets that the owner's workload cannot use, or null. */
export function* requireSecrets(
  accountId: string,
  ownerId: string | null,
  env: Readonly<Record<string, string>>,
): Tx<Fault | null> {
  const names = secretsIn(env);
  const existing = (yield* usableSecrets(accountId, ownerId, names)).map(({ name }) => name);
  const missing = names.filter((name) => !existing.includes(name));
  if (missing.length === 0) return null;
  const few = missing.slice(0, 5).map((name) => `"${name.slice(0, 80)}"`);
  const detail = `"env" refers to secrets that you do not have: ${few.join(", ")}. Make them at /v1/secrets first.`;
  return new Fault("invalid_body", { detail });
}

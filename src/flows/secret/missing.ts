// Whether all secrets are there that a workload's variables refer to.

import { Fault } from "../../domain/fault.ts";
import { secretsIn } from "../../domain/secret/secret.ts";
import { secretsNamed } from "../../store/secret/secret.ts";
import type { Verb } from "../../store/statement.ts";

/** The fault that names those which are not, or null. */
export function* noSuchSecrets(
  accountId: string,
  env: Readonly<Record<string, string>>,
): Verb<Fault | null> {
  const names = secretsIn(env);
  const there = (yield* secretsNamed(accountId, names)).map(({ name }) => name);
  const missing = names.filter((name) => !there.includes(name));
  if (missing.length === 0) return null;
  const few = missing.slice(0, 5).map((name) => `"${name.slice(0, 80)}"`);
  const detail = `"env" refers to secrets that you do not have: ${few.join(", ")}. Make them at /v1/secrets first.`;
  return new Fault("invalid_body", { detail });
}

// The columns of a maximum lifetime: of a Pod, a project or an account.

import type { MaxLifetime } from "../../../domain/usage/lifetime.ts";
import type { Value } from "../statement.ts";

export function maxLifetimeFrom(
  minutes: Value | undefined,
  extendable: Value | undefined,
): MaxLifetime | null {
  if (minutes === null || minutes === undefined) return null;
  return { minutes: minutes as number, extendable: extendable === 1 };
}

/** Null removes it. */
export function maxLifetimeValues(rule: MaxLifetime | null) {
  return { max_minutes: rule?.minutes ?? null, max_extendable: Number(rule?.extendable ?? true) };
}

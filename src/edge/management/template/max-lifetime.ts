// Maximum lifetimes, completed.

import type { MaxLifetimeInput } from "../../../contract/max-lifetime.ts";
import type { MaxLifetime } from "../../../domain/usage/lifetime.ts";

/** Undefined stays: the maximum is not changed. */
export function maxLifetimeOf<Input extends MaxLifetimeInput | null | undefined>(input: Input) {
  const rule = input && { extendable: true, ...input };
  return rule as MaxLifetime | (Input extends MaxLifetimeInput ? never : Input);
}

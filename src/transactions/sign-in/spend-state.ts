// The use of a sign-in's state, which counts once.

import type { Tx } from "../../store/engine/statement.ts";
import { useState } from "../../store/sign-in/used-sign-in.ts";

/** False if it was used before. */
export function* spendState(hash: string, expiresAt: number): Tx<boolean> {
  return yield* useState(hash, expiresAt);
}

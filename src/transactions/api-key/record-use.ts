// When API keys were used last.

import { recordKeyUses } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";

/** Keyed by the id of the key. */
export function* recordKeyUse(lastAt: ReadonlyMap<string, number>): Tx<void> {
  yield* recordKeyUses(lastAt);
}

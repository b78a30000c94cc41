// Creates or changes something that opens everything, such as an invitation or an account. The key must open everything too,
// and have no budget, which the new access would not have.

import { type ApiKey, beyond, everything } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireUnbudgetedKey } from "../budget/require-unbudgeted-key.ts";

export function* withFullAccess<Result>(
  by: ApiKey,
  create: () => Tx<Result | Fault>,
): Tx<Result | Fault> {
  const more = beyond(by.permissions, everything);
  if (more.length > 0) {
    const detail = `What this makes opens everything, and your key lacks ${more.join(" and ")}.`;
    return new Fault("forbidden", { detail });
  }
  return (yield* requireUnbudgetedKey(by)) ?? (yield* create());
}

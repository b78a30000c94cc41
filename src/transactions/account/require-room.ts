// Checks that an account may have one more of a kind. It holds the account, so that two transactions cannot both
// take the last place.

import type { Fault } from "../../domain/fault.ts";
import { refuseAnother } from "../../domain/storage/resource-limits.ts";
import { holdAccount } from "../../store/account/account.ts";
import { type CountedResource, countOf } from "../../store/account/resource-counts.ts";
import type { Tx } from "../../store/engine/statement.ts";

export function* requireRoom(resource: CountedResource, accountId: string): Tx<Fault | null> {
  yield* holdAccount(accountId);
  return refuseAnother(resource, yield* countOf(resource, accountId));
}

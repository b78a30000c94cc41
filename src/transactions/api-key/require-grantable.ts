// Checks that a key grants no more than it has, and only endpoints that exist.

import { type ApiKey, beyond, type Permissions } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";

/** Returns a fault if `by` cannot create a key with these permissions, or null. */
export function* requireGrantable(by: ApiKey, permissions: Permissions): Tx<Fault | null> {
  const more = beyond(by.permissions, permissions);
  if (more.length > 0) {
    const detail = `A key cannot give more than it has; yours lacks ${more.join(" and ")}.`;
    return new Fault("forbidden", { detail });
  }
  for (const id of permissions.endpoints ?? []) {
    const endpoint = yield* findEndpoint(id);
    if (endpoint?.accountId !== by.accountId) {
      const detail = `"permissions.endpoints" must be ids of your endpoints; there is no "${id.slice(0, 80)}".`;
      return new Fault("invalid_body", { detail });
    }
  }
  return null;
}

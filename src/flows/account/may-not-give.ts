// No key gives what it does not have, and none opens an endpoint that is not there.

import { type ApiKey, beyond, everything, type Permissions } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Verb } from "../../store/statement.ts";

/** The fault that says why `by` cannot make a key with these permissions, or null. */
export function* mayNotGive(by: ApiKey, permissions: Permissions): Verb<Fault | null> {
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

/** Throws unless a key may do everything its holder may: what it makes opens as much. */
export function mustBeWhole(by: ApiKey): void {
  const more = beyond(by.permissions, everything);
  if (more.length === 0) return;
  const detail = `What this makes opens everything, and your key lacks ${more.join(" and ")}.`;
  throw new Fault("forbidden", { detail });
}

// The filter of the audit log, as the address holds it.

import { serviceNow } from "../../service-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../time-units.ts";

export interface AuditSearch {
  /** A duration until now: "1h". */
  since?: string;
  /** "system" or "pod", or "member" or "key" with an id: "key:3kf0". */
  actor?: string;
  /** The beginning of an operation's name. */
  action?: string;
  /** The id of a resource. */
  resource?: string;
  outcome?: "done" | "refused";
}

const texts = ["since", "actor", "action", "resource"] as const;

/** Unknown and empty members are left out. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const found: AuditSearch = {};
  if (search.outcome === "done" || search.outcome === "refused") found.outcome = search.outcome;
  for (const name of texts) {
    const value = search[name];
    if (typeof value === "string" && value !== "") found[name] = value.slice(0, 200);
    // The router reads a text of digits as a number.
    if (typeof value === "number") found[name] = String(value);
  }
  return found;
}

/** The parameters of the query. */
export function auditQuery({ since, actor = "", action, resource, outcome }: AuditSearch) {
  const [kind, id] = actor.split(":");
  return {
    ...(since && { startTime: startOf(since) }),
    ...((kind === "system" || kind === "pod") && { actor: kind as "system" | "pod" }),
    ...(kind === "member" && id && { memberId: id }),
    ...(kind === "key" && id && { keyId: id }),
    ...(action && { operation: `${action}*` }),
    ...(resource && { resourceId: resource }),
    ...(outcome && { outcome }),
  };
}

const unitsMs: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A whole minute, so that the query key is stable for a minute. */
function startOf(since: string): string {
  const [, n, unit = "d"] = /^(\d{1,4})([mhd])$/.exec(since) ?? [null, "1", "d"];
  const minute = Math.floor(serviceNow() / MINUTE_MS) * MINUTE_MS;
  return new Date(minute - Number(n) * unitsMs[unit]!).toISOString();
}

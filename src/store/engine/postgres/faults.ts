// PostgreSQL's errors by their codes: which are an outage, which a conflict, and what callers get.

import { Fault } from "../../../domain/fault.ts";
import { unavailable } from "../unavailable.ts";

/**
 * Classes and codes that say nothing about the call: connection exceptions (08), insufficient resources (53),
 * operator intervention (57), system errors (58), a read-only server (25006), a transaction that the server
 * ended (25P02, 25P03), lock timeouts (55P03), serialization failures (40001), deadlocks (40P01), and prepared
 * statements that the connection lost (26000, 0A000).
 */
const OUTAGE = /^(?:08|53|57|58|25006|25P0[23]|55P03|40001|40P01|26000|0A000$)/;

/** Serialization failure, deadlock and unique violation: a second try reads what the other writer committed. */
const CONFLICTS = new Set(["40001", "40P01", "23505"]);

export function toFault(error: unknown): unknown {
  if (error instanceof Fault) return error;
  return isOutage(error) ? unavailable(error) : error;
}

/** True for conflicts too, which become an outage if no further try solves them. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Fault) return error.code === "store_unavailable";
  return OUTAGE.test(codeOf(error));
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** PostgreSQL's five characters, or the code of a system error. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

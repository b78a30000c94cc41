// What callers are told when PostgreSQL fails: that it is away is no programming error.

import { Fault } from "../../../domain/fault.ts";

/**
 * Classes and codes of PostgreSQL that say nothing about the call: connection, insufficient
 * resources, operator intervention, a server that only reads, locks not had in time, conflicts that
 * trying again did not solve, statements that this connection no longer knows.
 */
const AWAY = /^(?:08|53|57|58|25006|25P0[23]|55P03|40001|40P01|26000|0A000$)/;

/** Conflicts with somebody who was quicker: whoever tries again reads the new truth. */
const CONFLICTS = new Set(["40001", "40P01", "23505"]);

export function refuse(error: unknown): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  return AWAY.test(codeOf(error)) ? unavailable(error) : error;
}

export function unavailable(cause: unknown): Fault {
  const fault = new Fault("store_unavailable", {});
  fault.cause = cause;
  return fault;
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** PostgreSQL's own five characters, or the code of a system error. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

// PostgreSQL's errors by their SQLSTATE: what each says about the call, the session and the server, and what
// follows from it.

import { Fault } from "../../../../domain/fault.ts";
import { storeUnavailable } from "../../unavailable.ts";

export type ErrorVerdict =
  /** Another writer got in the way: the call runs again and reads what that one committed. */
  | "retry"
  /** A lock was not free in time: only the calls that need it fail. */
  | "blocked"
  /** The session does not suit the statement, which did nothing: cut it, and run the calls on another one. */
  | "reopen"
  /** The session ends, or is in no state to go on: cut it. */
  | "cut"
  /** The server cannot serve: any other call would fail as well. */
  | "away"
  /** The call itself is wrong, and fails alone. */
  | "refuse";

/** The codes that have a verdict of their own; every other code has that of its class. */
export const verdicts: Readonly<Record<string, ErrorVerdict>> = {
  /** unique_violation: the other writer's row is committed by the second try. */
  "23505": "retry",
  /** serialization_failure; on a standby, a conflict with what it replays. */
  "40001": "retry",
  /** deadlock_detected */
  "40P01": "retry",
  /** lock_not_available: `lock_timeout` */
  "55P03": "blocked",
  /** feature_not_supported: "cached plan must not change result type", or a writing transaction on a standby */
  "0A000": "reopen",
  /** read_only_sql_transaction: the server became a standby, or is set read-only */
  "25006": "reopen",
  /** invalid_sql_statement_name: a prepared statement that the session does not have (any more) */
  "26000": "reopen",
  /** duplicate_prepared_statement: another client of a pooler has prepared it */
  "42P05": "reopen",
  /** active_sql_transaction: a transaction is open that this process did not begin */
  "25001": "cut",
  /** no_active_sql_transaction, no_active_transaction: the server ended the transaction */
  "25P01": "cut",
  /** in_failed_sql_transaction */
  "25P02": "cut",
  /** idle_in_transaction_session_timeout: this process stood still within a transaction */
  "25P03": "cut",
  /** transaction_timeout, from PostgreSQL 17 on */
  "25P04": "cut",
  /** query_canceled: `statement_timeout`, or an operator */
  "57014": "away",
};

/** The first two characters of a code. */
export const classVerdicts: Readonly<Record<string, ErrorVerdict>> = {
  /** Connection exceptions. */
  "08": "cut",
  /** The server refuses the user, for example after its password was changed. */
  "28": "away",
  /** There is no such database, for example while it is restored. */
  "3D": "away",
  /** Insufficient resources: disk, memory, connections. */
  "53": "away",
  /** Operator intervention: shutdown, crash of another process, still starting, idle session. */
  "57": "cut",
  /** Errors of the system outside of PostgreSQL. */
  "58": "away",
  /** Errors of the server's configuration file. */
  F0: "away",
};

/** Node's codes of system errors, such as ECONNRESET; ERR_... are misuses of its functions. */
const SYSTEM_ERROR = /^E(?!RR_)[A-Z]/;

export function verdictOf(error: unknown): ErrorVerdict {
  if (error instanceof Fault) return error.code === "store_unavailable" ? "away" : "refuse";
  const code = codeOf(error);
  if (SYSTEM_ERROR.test(code)) return "cut";
  return verdicts[code] ?? classVerdicts[code.slice(0, 2)] ?? "refuse";
}

/** What callers get for an error that no further try solved. */
export function toFault(error: unknown): unknown {
  if (error instanceof Fault) return error;
  // A unique violation that persists is the call's own.
  if (verdictOf(error) === "refuse" || codeOf(error) === "23505") return error;
  return storeUnavailable(error);
}

/** PostgreSQL's five characters, or the code of a system error. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

// The verdict of every SQLSTATE that this code base can meet. A code that a source file names must be here.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Fault } from "../../../../domain/fault.ts";
import { classVerdicts, type ErrorVerdict, toFault, verdictOf, verdicts } from "./verdict.ts";

const met: Record<ErrorVerdict, string[]> = {
  retry: [
    "23505", // unique_violation: two writers created one row
    "40001", // serialization_failure
    "40P01", // deadlock_detected
  ],
  blocked: ["55P03"], // lock_not_available: lock_timeout
  reopen: [
    "0A000", // feature_not_supported: a cached plan whose columns changed; read-write on a standby
    "25006", // read_only_sql_transaction: a standby
    "26000", // invalid_sql_statement_name: the session lost what it had prepared
    "42P05", // duplicate_prepared_statement: of another client of the pooler
  ],
  cut: [
    "08000", // connection_exception
    "08003", // connection_does_not_exist
    "08006", // connection_failure
    "08P01", // protocol_violation: a pooler that gives up
    "25001", // active_sql_transaction
    "25P01", // no_active_sql_transaction
    "25P02", // in_failed_sql_transaction
    "25P03", // idle_in_transaction_session_timeout: this process stood still
    "25P04", // transaction_timeout
    "57P01", // admin_shutdown: a restart, pg_terminate_backend
    "57P02", // crash_shutdown
    "57P03", // cannot_connect_now: starting, or recovering
    "57P04", // database_dropped
    "57P05", // idle_session_timeout
    "ECONNREFUSED", // no server listens
    "ECONNRESET", // the server or the network is gone
    "ENOTFOUND", // its name does not resolve
    "EPIPE", // the connection was closed while writing
    "ETIMEDOUT", // the network drops packets
  ],
  away: [
    "28000", // invalid_authorization_specification
    "28P01", // invalid_password: it was changed
    "3D000", // invalid_catalog_name: the database is being restored
    "53000", // insufficient_resources
    "53100", // disk_full
    "53200", // out_of_memory
    "53300", // too_many_connections
    "53400", // configuration_limit_exceeded
    "57014", // query_canceled: statement_timeout
    "58000", // system_error
    "58030", // io_error
    "58P01", // undefined_file
    "F0000", // config_file_error
  ],
  refuse: [
    "", // an exception of this program
    "ERR_INVALID_ARG_TYPE", // the same, from a function of Node
    "21000", // cardinality_violation
    "22001", // string_data_right_truncation
    "22003", // numeric_value_out_of_range
    "22021", // character_not_in_repertoire
    "22P02", // invalid_text_representation
    "23502", // not_null_violation
    "23503", // foreign_key_violation
    "23514", // check_violation
    "42501", // insufficient_privilege
    "42601", // syntax_error
    "42703", // undefined_column: another program changed the schema
    "42P01", // undefined_table
    "54000", // program_limit_exceeded
    "XX000", // internal_error: one statement's, not the server's
    "XX001", // data_corrupted
    "XX002", // index_corrupted
  ],
};

const withCode = (code: string) => Object.assign(new Error("x"), code === "" ? {} : { code });

for (const [verdict, codes] of Object.entries(met)) {
  test(`${verdict}: ${codes.join(" ")}`, () => {
    for (const code of codes) assert.equal(verdictOf(withCode(code)), verdict, code);
  });
}

test("no code of the table, and none that a source file names, is missing here", () => {
  const named = new Set(Object.keys(verdicts));
  for (const file of globSync("src/store/engine/postgres/**/*.ts")) {
    const isTest = file.endsWith(".test.ts");
    const codes = isTest ? [] : readFileSync(file, "utf8").matchAll(/"(?=\w*\d)([0-9A-Z]{5})"/g);
    for (const [, code] of codes) named.add(code!);
  }
  const listed = new Set(Object.values(met).flat());
  assert.deepEqual(
    [...named].filter((code) => !listed.has(code)),
    [],
  );
  for (const name of Object.keys(classVerdicts)) {
    assert.ok(
      [...listed].some((code) => code.startsWith(name)),
      `no code of class ${name}`,
    );
  }
});

test("callers get a fault that they may retry, except for a call that is wrong itself", () => {
  for (const [verdict, codes] of Object.entries(met)) {
    for (const code of codes) {
      const error = withCode(code);
      const fault = toFault(error);
      const isOwn = verdict === "refuse" || code === "23505";
      if (isOwn) assert.equal(fault, error, code);
      else assert.equal((fault as Fault).code, "store_unavailable", code);
    }
  }
  const refusal = new Fault("job_not_found", { id: "x" });
  assert.equal(toFault(refusal), refusal);
});

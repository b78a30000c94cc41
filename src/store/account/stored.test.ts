// What counts as stored by an account: every table with rows of an account is counted or named here.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** Rows that the service writes about an account, or that end by themselves after a fixed time. */
const NOT_COUNTED = [
  "audit",
  "device_login",
  "gpu_use",
  "idempotency",
  "idle_gpu",
  "job_operation",
  "ledger_balance",
  "ledger_entry",
  "notification",
  "provider_identity",
  "savings_plan",
  "session",
  "sign_in",
  "spend_day",
  "spend_hour",
  "usage",
];

test("every table with rows of an account counts toward its storage limit", () => {
  const schema = readFileSync(new URL("../schema.sqlite.sql", import.meta.url), "utf8");
  const sums = readFileSync(new URL("stored.ts", import.meta.url), "utf8");
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)\) strict/gms)]
    .filter(([, , columns]) => /^ {2}account_id /m.test(columns!))
    .map(([, name]) => name!);
  assert.ok(tables.length > 25);
  const missing = tables.filter((table) => !sums.includes(`table: "${table}"`));
  assert.deepEqual(missing, NOT_COUNTED);
});

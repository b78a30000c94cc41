// What an account stores: its jobs with the pending items of batches, and the rows and files of its settings, builds and logs. A deletion
// frees it, and jobs also free theirs at the end of their retention.

import { row, rows, type Tx } from "../engine/statement.ts";

/** A row with its indexes. */
const ROW_BYTES = 256;

const OWN = "account_id = account.id";
const OF_ENDPOINT = `endpoint_id in (select id from endpoint where ${OWN} and deleted_at is null)`;
const OF_FLASH_APP = `app_id in (select id from flash_app where ${OWN})`;
/** The columns that are as long as their writer makes them, by table; `where` selects an account's rows. */
const SETTINGS: { table: string; columns: string[]; where?: string; more?: string }[] = [
  {
    table: "api_key",
    columns: ["name", "labels", "permissions"],
    where: `${OWN} and revoked_at is null`,
  },
  { table: "batch", columns: ["webhook"] },
  { table: "budget", columns: ["name", "labels"] },
  { table: "cluster", columns: ["name"] },
  {
    table: "endpoint",
    columns: ["name", "spec", "labels"],
    where: `${OWN} and deleted_at is null`,
  },
  { table: "flash_app", columns: ["name"] },
  { table: "flash_build", columns: ["manifest"], where: OF_FLASH_APP, more: "size" },
  { table: "flash_environment", columns: ["name"], where: OF_FLASH_APP },
  { table: "guarantee", columns: ["gpu_type_id"] },
  { table: "invitation", columns: ["email"] },
  { table: "member", columns: ["email", "name"] },
  { table: "network_volume", columns: ["name", "labels"], where: `${OWN} and deleted_at is null` },
  {
    table: "notification_rule",
    columns: ["name", "events", "endpoint_ids", "pod_ids", "failures", "channel", "secret"],
  },
  { table: "password", columns: ["hash"] },
  { table: "password_reset", columns: ["hash"] },
  { table: "pod", columns: ["name", "spec", "labels"] },
  { table: "project", columns: ["name"] },
  { table: "queued_pod", columns: ["request", "waiting", "refusal"] },
  { table: "quota", columns: ["limits"] },
  { table: "recovery_code", columns: ["hash"] },
  { table: "registry_auth", columns: ["name", "labels", "credentials"] },
  { table: "release", columns: ["workload", "reason"], where: OF_ENDPOINT },
  {
    table: "reservation",
    columns: ["note", "labels"],
    where: `${OWN} and cancelled_at is null`,
  },
  { table: "reservation_feed", columns: ["hash"] },
  {
    table: "s3_key",
    columns: ["name", "labels", "volume_ids"],
    where: `${OWN} and revoked_at is null`,
  },
  { table: "sandbox", columns: ["name", "image_name", "labels"] },
  { table: "schedule", columns: ["name", "labels", "spec", "input"] },
  { table: "secret", columns: ["name", "description", "labels", "value"] },
  { table: "ssh_key", columns: ["name", "labels", "public_key"] },
  { table: "template", columns: ["name", "labels", "spec"] },
  { table: "totp", columns: ["secret"] },
];

const settingsSum = SETTINGS.map(({ table, columns, where = OWN, more = "0" }) => {
  const lengths = columns.map((column) => `coalesce(octet_length(${column}), 0)`);
  const sum = [ROW_BYTES, more, ...lengths].join(" + ");
  return `(select coalesce(sum(${sum}), 0) from ${table} where ${where})`;
}).join(" + ");

const LOGS = `(select coalesce(sum(octet_length(bytes)), 0) from kept_log
  where workload in (select id from pod where ${OWN}))`;

const JOBS = `(select coalesce(sum(bytes), 0) from tally
  where endpoint_id in (select id from endpoint where ${OWN}))`;

/** In bytes; 0 for an unknown account. */
export function* storedBytes(accountId: string): Tx<number> {
  const sum = `select ${settingsSum} + ${LOGS} + ${JOBS} as bytes from account where id = ?`;
  const found = yield* row<{ bytes: number }>(sum, accountId);
  return Number(found?.bytes ?? 0);
}

/** The part of it that only changes of settings change. */
export function* settingsBytes(accountId: string): Tx<number> {
  const sum = `select ${settingsSum} as bytes from account where id = ?`;
  const found = yield* row<{ bytes: number }>(sum, accountId);
  return Number(found?.bytes ?? 0);
}

/** All endpoints whose jobs it stores, deleted ones included. */
export function* endpointIdsOf(accountId: string): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    "select id from endpoint where account_id = ?",
    accountId,
  );
  return found.map(({ id }) => id);
}

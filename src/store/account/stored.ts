// What an account stores: its jobs, the settings of its templates, endpoints and Pods, and the logs of
// its Pods' earlier containers, and the archives of its Flash builds. All of it is freed by a deletion, and jobs also by their retention.

import { row, type Tx } from "../engine/statement.ts";

const STORED = `
  select
    (select coalesce(sum(bytes), 0) from tally
       where endpoint_id in (select id from endpoint where account_id = account.id))
    + (select coalesce(sum(octet_length(spec)), 0) from template where account_id = account.id)
    + (select coalesce(sum(octet_length(spec)), 0) from endpoint
       where account_id = account.id and deleted_at is null)
    + (select coalesce(sum(octet_length(workload)), 0) from release where endpoint_id in
       (select id from endpoint where account_id = account.id and deleted_at is null))
    + (select coalesce(sum(octet_length(spec)), 0) from pod where account_id = account.id)
    + (select coalesce(sum(octet_length(bytes)), 0) from kept_log
       where workload in (select id from pod where account_id = account.id))
    + (select coalesce(sum(size), 0) from flash_build
       where app_id in (select id from flash_app where account_id = account.id)) as bytes
  from account where id = ?`;

/** In bytes; 0 for an unknown account. */
export function* storedBytes(accountId: string): Tx<number> {
  const found = yield* row<{ bytes: number }>(STORED, accountId);
  return Number(found?.bytes ?? 0);
}

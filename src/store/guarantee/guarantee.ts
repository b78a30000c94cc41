// The table `guarantee`. A transaction that changes it holds the prices, and one that places something on GPUs of the type locks it.

import type { Guarantee } from "../../domain/guarantee/guarantee.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, rows, type Tx } from "../engine/statement.ts";

const COLUMNS = `account_id as "accountId", project_id as "projectId", gpu_type_id as "gpuTypeId", gpu_count as "gpuCount"`;

/** The guarantees of all projects, in one order. */
export function* allGuarantees(): Tx<Guarantee[]> {
  return yield* rows<Guarantee>(
    `select ${COLUMNS} from guarantee order by project_id, gpu_type_id`,
  );
}

/** Makes others that place something on GPUs of these types wait until the transaction ends; of all types for an empty list. */
export function* lockGuarantees(gpuTypeIds: readonly string[]): Tx<void> {
  const marks = gpuTypeIds.map(() => "?").join(", ");
  const which = gpuTypeIds.length === 0 ? "" : `where gpu_type_id in (${marks})`;
  yield* rows(
    `select gpu_count from guarantee ${which} order by project_id, gpu_type_id /*+ for update */`,
    ...gpuTypeIds,
  );
}

export function* saveGuarantee({ accountId, projectId, gpuTypeId, gpuCount }: Guarantee): Tx<void> {
  yield* change(
    `insert into guarantee (account_id, project_id, gpu_type_id, gpu_count) values (?, ?, ?, ?)
     on conflict (project_id, gpu_type_id) do update set gpu_count = excluded.gpu_count`,
    ...[accountId, projectId, gpuTypeId, gpuCount],
  );
  yield* notifyRoom(accountId);
}

/** Deletes the guarantee of one type, or all of the project. */
export function* deleteGuarantees(
  { accountId, projectId }: Pick<Guarantee, "accountId" | "projectId">,
  gpuTypeId: string | null,
): Tx<void> {
  const sql = "delete from guarantee where project_id = ? and (? = '' or gpu_type_id = ?)";
  const type = gpuTypeId ?? "";
  if ((yield* change(sql, projectId, type, type)) > 0) yield* notifyRoom(accountId);
}

/** What waited for room may start. */
function* notifyRoom(accountId: string): Tx<void> {
  yield* notify(topic.fleet);
  yield* notify(topic.queuedPods);
  yield* notify(topic.changed(accountId, "quota", accountId));
}

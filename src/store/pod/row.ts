// The pod table: reads and writes of single Pods.

import type { Pod } from "../../domain/pod/pod.ts";
import { type ColumnChanges, insertRow, updateRows } from "../engine/row/columns.ts";
import { type ListFilter, type ListSelection, selectionSql } from "../engine/row/selection.ts";
import { change, row, rows, type Tx, type Value } from "../engine/statement.ts";
import { podColumns } from "./columns.ts";
import { podsWhere } from "./read.ts";

export function* findPod(id: string): Tx<Pod | undefined> {
  return (yield* podsWhere("id = ?", id))[0];
}

/** Locks it until the surrounding transaction ends. */
export function* lockPod(id: string): Tx<Pod | undefined> {
  return (yield* podsWhere("id = ? /*+ for update */", id))[0];
}

/** Locks all but terminated ones until the surrounding transaction ends. */
export function* lockAllPods(): Tx<void> {
  yield* rows("select id from pod where state <> 'TERMINATED' order by id /*+ for update */");
}

/** An account's Pods, oldest first, without terminated ones and sandboxes. */
export function* podsOf(accountId: string): Tx<Pod[]> {
  return yield* podsWhere(
    `account_id = ? and state <> 'TERMINATED' and sandbox = 0
     order by created_at, id`,
    accountId,
  );
}

export interface PodFilter extends ListFilter {
  /** Whether members of clusters are among them. */
  withMembers: boolean;
}

export type PodSelection = PodFilter & ListSelection;

/** Some of an account's Pods, newest first, without terminated ones and sandboxes. */
export function* podsAfter(
  accountId: string,
  { withMembers, ...selection }: PodSelection,
): Tx<Pod[]> {
  const [selected, params] = selectionSql(selection);
  return yield* podsWhere(
    `account_id = ? and state <> 'TERMINATED'
       and sandbox = 0 ${withMembers ? "" : "and cluster_id is null"} ${selected}`,
    accountId,
    ...params,
  );
}

/** The Pods of all accounts, without terminated ones. */
export function* allPods(): Tx<Pod[]> {
  return yield* podsWhere(`state <> 'TERMINATED' order by id`);
}

/** Terminated ones are among them until their data is removed from the machine. */
export function* podsOn(machine: string): Tx<Pod[]> {
  return yield* podsWhere(`machine = ? order by id`, machine);
}

export function* podIdsOn(machine: string): Tx<string[]> {
  const found = yield* rows<{ id: string }>("select id from pod where machine = ?", machine);
  return found.map(({ id }) => id);
}

/** Pods whose stopAfter or terminateAfter has passed, and the next such instant. */
export function* duePods(now: number): Tx<{ due: Pod[]; nextAt: number | null }> {
  const found = yield* podsWhere(
    `(stop_after <= ? and state = 'RUNNING')
       or (terminate_after <= ? and state <> 'TERMINATED')`,
    now,
    now,
  );
  const next = yield* row<{ at: number | null }>(
    `select min(at) as at from (
       select min(stop_after) as at from pod where stop_after > ? and state = 'RUNNING'
       union all
       select min(terminate_after) from pod where terminate_after > ? and state <> 'TERMINATED'
     ) as deadlines`,
    now,
    now,
  );
  return { due: found, nextAt: next?.at ?? null };
}

export function* addPod(pod: Pod): Tx<void> {
  yield* insertRow("pod", podColumns.write(pod));
}

/** Writes the fields that are given. */
export function* changePod(id: string, changes: ColumnChanges<Pod>): Tx<void> {
  yield* updateRows("pod", podColumns.write(changes as Pod), "id = ?", id);
}

/** Writes only if the condition holds; says whether it did. */
export function* changePodIf(
  id: string,
  changes: ColumnChanges<Pod>,
  condition: string,
  ...params: Value[]
): Tx<boolean> {
  const values = podColumns.write(changes as Pod);
  return (yield* updateRows("pod", values, `id = ? and ${condition}`, id, ...params)) > 0;
}

/** Deletes a Pod only if it is terminated; says whether it was. */
export function* removeTerminated(id: string): Tx<boolean> {
  return (yield* change("delete from pod where id = ? and state = 'TERMINATED'", id)) > 0;
}

/** Locks the Pods of a machine that are desired to run. */
export function* lockRunningOn(machine: string): Tx<Pick<Pod, "id" | "accountId">[]> {
  return yield* rows<Pick<Pod, "id" | "accountId">>(
    `select id, account_id as "accountId" from pod where machine = ? and state = 'RUNNING'
     order by id /*+ for update */`,
    machine,
  );
}

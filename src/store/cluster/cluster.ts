// The table `cluster`.

import type { Cluster } from "../../domain/cluster/cluster.ts";
import { topic } from "../engine/notifier.ts";
import { type ColumnValues, columnsOf, insertRow, plain } from "../engine/row/columns.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const columns = columnsOf<Cluster>({
  id: plain("id"),
  accountId: plain("account_id"),
  name: plain("name"),
  type: plain("type"),
  gpuTypeId: plain("gpu_type_id"),
  gpuCountPerPod: plain("gpu_count_per_pod"),
  podCount: plain("pod_count"),
  templateId: plain("template_id"),
  cidr: plain("cidr"),
  createdAt: plain("created_at"),
});

const COLUMNS = columns.names.join(", ");

export function* addCluster(cluster: Cluster): Tx<void> {
  yield* insertRow("cluster", columns.write(cluster));
  yield* notifyCluster(cluster);
}

export function* findCluster(id: string): Tx<Cluster | undefined> {
  const found = yield* row<ColumnValues>(`select ${COLUMNS} from cluster where id = ?`, id);
  return found && columns.read(found);
}

/** Locks it until the surrounding transaction ends. */
export function* lockCluster(id: string): Tx<Cluster | undefined> {
  const found = yield* row<ColumnValues>(
    `select ${COLUMNS} from cluster where id = ? /*+ for update */`,
    id,
  );
  return found && columns.read(found);
}

/** An account's clusters, newest first. */
export function* clustersOf(accountId: string): Tx<Cluster[]> {
  const found = yield* rows<ColumnValues>(
    `select ${COLUMNS} from cluster where account_id = ? order by created_at desc, id desc`,
    accountId,
  );
  return found.map(columns.read);
}

export function* renameCluster(cluster: Cluster, name: string): Tx<void> {
  yield* change("update cluster set name = ? where id = ?", name, cluster.id);
  yield* notifyCluster(cluster);
}

export function* removeCluster(cluster: Cluster): Tx<void> {
  yield* change("delete from cluster where id = ?", cluster.id);
  yield* notifyCluster(cluster);
}

function* notifyCluster({ id, accountId }: Cluster): Tx<void> {
  yield* notify(topic.changed(accountId, "cluster", id));
}

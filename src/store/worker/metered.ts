// What a worker's meter is made from: the worker with its endpoint, its release and its machine.

import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import type { Attribution } from "../../domain/money/attribution.ts";
import { labelsFrom, numbers } from "../engine/row/columns.ts";
import { row, rows, type Tx } from "../engine/statement.ts";

export interface MeteredWorker extends Attribution {
  accountId: string;
  endpointId: string;
  templateId: string;
  keyId: string;
  gpuTypeId: string;
  gpus: number;
  dataCenterId: string;
  imageName: string;
  rate: number;
}

interface Row {
  account_id: string;
  endpoint_id: string;
  template_id: string;
  key_id: string;
  owner_id: string | null;
  labels: string | null;
  gpu_type_id: string | null;
  gpus: string;
  rate: number;
  workload: string | null;
  inventory: string | null;
}

export function* findMeteredWorker(id: string): Tx<MeteredWorker | undefined> {
  const found = yield* row<Row>(
    `select endpoint.account_id, worker.endpoint_id, endpoint.template_id, endpoint.key_id,
       endpoint.owner_id, endpoint.labels, worker.gpu_type_id, worker.gpus, worker.rate, release.workload, replica.inventory
     from worker join endpoint on endpoint.id = worker.endpoint_id
     left join release on release.endpoint_id = worker.endpoint_id
       and release.version = worker.version
     left join replica on replica.machine = worker.machine
     where worker.id = ?`,
    id,
  );
  if (!found) return undefined;
  const { image } = JSON.parse(found.workload ?? "{}") as Partial<ReleaseWorkload>;
  const { dataCenterId } = JSON.parse(found.inventory ?? "{}") as Partial<Inventory>;
  return {
    accountId: found.account_id,
    endpointId: found.endpoint_id,
    templateId: found.template_id,
    keyId: found.key_id,
    ownerId: found.owner_id,
    labels: labelsFrom(found.labels),
    gpuTypeId: found.gpu_type_id ?? "",
    gpus: numbers(found.gpus).length,
    dataCenterId: dataCenterId ?? "",
    imageName: image ?? "",
    rate: found.rate,
  };
}

/** The workers of an endpoint that are not ended, locked: none of them starts until the transaction commits. */
export function* lockLiveWorkers(endpointId: string): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from worker where endpoint_id = ? and observed <> 'ended' order by id /*+ for update */`,
    endpointId,
  );
  return found.map(({ id }) => id);
}

// A worker's meter: it costs while it runs, start and idle time included, by the second.

import type { Inventory } from "../../domain/machine/inventory.ts";
import { endMeter, meter } from "../money/usage.ts";
import { row, type Verb } from "../statement.ts";

const SECOND_MS = 1_000;

interface Facts {
  account_id: string;
  endpoint_id: string;
  template_id: string;
  key_id: string;
  gpu_type_id: string | null;
  rate: number;
  workload: string | null;
  inventory: string | null;
}

export function* meterWorker(id: string, at: number): Verb<void> {
  const worker = yield* row<Facts>(
    `select endpoint.account_id, worker.endpoint_id, endpoint.template_id, endpoint.key_id,
       worker.gpu_type_id, worker.rate, release.workload, replica.inventory
     from worker join endpoint on endpoint.id = worker.endpoint_id
     left join release on release.endpoint_id = worker.endpoint_id
       and release.version = worker.version
     left join replica on replica.machine = worker.machine
     where worker.id = ?`,
    id,
  );
  if (!worker) return;
  const { image } = JSON.parse(worker.workload ?? "{}") as { image?: string };
  const inventory = JSON.parse(worker.inventory ?? "{}") as Partial<Inventory>;
  const thing = {
    accountId: worker.account_id,
    kind: "worker" as const,
    resourceId: id,
    endpointId: worker.endpoint_id,
    gpuTypeId: worker.gpu_type_id ?? "",
    dataCenterId: inventory.dataCenterId ?? "",
    imageName: image ?? "",
    templateId: worker.template_id,
    keyId: worker.key_id,
    running: true,
    diskGb: 0,
    rate: worker.rate,
  };
  yield* meter(thing, at);
}

export function* endWorkerMeter(id: string, at: number): Verb<void> {
  yield* endMeter(id, at, SECOND_MS);
}

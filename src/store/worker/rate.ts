// What a worker costs, as it was priced last.

import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import { change, rows, type Tx } from "../engine/statement.ts";

export interface PricedWorker {
  id: string;
  gpuTypeId: string | null;
  gpuCount: number;
  spec: EndpointSpec;
}

/** Live workers that have a price: all but those that run as plain processes. */
export function* pricedWorkers(): Tx<PricedWorker[]> {
  const found = yield* rows<{ id: string; type: string | null; gpus: string; spec: string }>(
    `select worker.id, worker.gpu_type_id as type, worker.gpus, endpoint.spec
     from worker join endpoint on endpoint.id = worker.endpoint_id
     where worker.observed <> 'ended' and worker.driver <> 'process'`,
  );
  return found.map(({ id, type, gpus, spec }) => ({
    id,
    gpuTypeId: type,
    gpuCount: gpus === "" ? 0 : gpus.split(",").length,
    spec: JSON.parse(spec) as EndpointSpec,
  }));
}

export function* setWorkerRate(id: string, rate: number): Tx<void> {
  yield* change("update worker set rate = ? where id = ?", rate, id);
}

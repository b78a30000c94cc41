// What an account holds, by the members that it belongs to: Pods that are desired to run, workers until they are to end, and volumes that exist.
// Reservations are counted apart: they have a time.

import { nothingHeld, type QuotaHolding, sumOf } from "../../domain/quota/quota.ts";
import { PER_GPU } from "../../domain/worker/placement-request.ts";
import { rows, type Tx } from "../engine/statement.ts";

interface Row {
  ownerId: string | null;
  gpuTypeId: string | null;
  pods: number;
  gpus: number;
  vcpus: number;
  volumeGb: number;
  rate: number;
}

const NUMBERS = ["pods", "gpus", "vcpus", "volumeGb", "rate"] as const;

const countOf = (list: string) =>
  `case when ${list} = '' then 0 else length(${list}) - length(replace(${list}, ',', '')) + 1 end`;

const ofPods = `select owner_id as "ownerId", gpu_type_id as "gpuTypeId",
    sum(case when state = 'RUNNING' then 1 else 0 end) as pods,
    sum(case when state = 'RUNNING' then ${countOf("gpus")} else 0 end) as gpus,
    sum(case when state = 'RUNNING' then vcpus else 0 end) as vcpus, sum(volume_gb) as "volumeGb",
    sum(case when state = 'RUNNING' then running_rate else stopped_rate end) as rate
  from pod where account_id = ? and state <> 'TERMINATED' group by owner_id, gpu_type_id`;

const ofWorkers = (
  desired: string,
) => `select endpoint.owner_id as "ownerId", worker.gpu_type_id as "gpuTypeId", 0 as pods,
    sum(${countOf("worker.gpus")}) as gpus, 0 as "volumeGb", sum(worker.rate) as rate,
    sum(case when worker.vcpus > 0 then worker.vcpus else ${PER_GPU.vcpus} * ${countOf("worker.gpus")} end) as vcpus
  from endpoint join worker on worker.endpoint_id = endpoint.id
  where endpoint.account_id = ? and worker.observed <> 'ended' and worker.desired in (${desired})
  group by endpoint.owner_id, worker.gpu_type_id`;

const ofVolumes = `select network_volume.owner_id as "ownerId", null as "gpuTypeId", 0 as pods, 0 as gpus, 0 as vcpus,
    sum(network_volume.size) as "volumeGb", sum(usage.rate) as rate
  from network_volume left join usage on usage.resource_id = network_volume.id and usage.ended_at is null
  where network_volume.account_id = ? and network_volume.deleted_at is null
  group by network_volume.owner_id`;

/** What each member holds, by member id; null for what belongs to the account alone. */
type Holdings = Map<string | null, QuotaHolding>;

/** What quotas count: a worker that drains holds its GPUs until its jobs end. */
export const holdingsOf = (accountId: string): Tx<Holdings> =>
  sumHoldings(accountId, ofWorkers("'run', 'drain'"));

/** The holdings without workers that drain, which are on their way out. */
export const lastingHoldingsOf = (accountId: string): Tx<Holdings> =>
  sumHoldings(accountId, ofWorkers("'run'"));

function* sumHoldings(accountId: string, workers: string): Tx<Holdings> {
  const holdings: Holdings = new Map();
  for (const sql of [ofPods, workers, ofVolumes]) {
    for (const found of yield* rows<Row>(sql, accountId)) {
      const { ownerId } = found;
      const before = holdings.get(ownerId) ?? nothingHeld;
      holdings.set(ownerId, sumOf([before, holdingFrom(found)]));
    }
  }
  return holdings;
}

function holdingFrom({ gpuTypeId, ...found }: Row): QuotaHolding {
  // The rate of a volume may be null, and PostgreSQL's sums are texts.
  const sums = NUMBERS.map((name) => [name, Number(found[name] ?? 0)]);
  const numbers = Object.fromEntries(sums) as Record<(typeof NUMBERS)[number], number>;
  const gpuTypes = gpuTypeId !== null && numbers.gpus > 0 ? { [gpuTypeId]: numbers.gpus } : {};
  return { ...numbers, reservedGpus: 0, gpuTypes };
}

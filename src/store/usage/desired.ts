// What an account pays for as soon as it runs: Pods and workers that are desired to run and are not metered yet, because
// their image is still pulled or their container starts again.

import { paidAhead } from "../../domain/pod/prices.ts";
import { numbers } from "../engine/row/columns.ts";
import { row, rows, type Tx } from "../engine/statement.ts";

interface StartingPod {
  cost: number;
  runningRate: number;
  coveredGpus: number;
  gpus: string;
  /** What is charged for it at present: its disks, or its last container until the next one starts. */
  metered: number;
}

/** Micro-dollars per hour beyond the rates of the account's open usages. */
export function* unmeteredRate(accountId: string, now: number): Tx<number> {
  return (yield* startingPods(accountId, now)) + (yield* startingWorkers(accountId, now));
}

function* startingPods(accountId: string, now: number): Tx<number> {
  const found = yield* rows<StartingPod>(
    `select pod.cost, pod.running_rate as "runningRate", pod.covered_gpus as "coveredGpus", pod.gpus,
       coalesce(usage.rate, 0) as metered
     from pod left join usage on usage.resource_id = pod.id and usage.ended_at is null
       and usage.began_at <= ?
     where pod.account_id = ? and pod.state = 'RUNNING'
       and (usage.id is null or usage.running = 0 or pod.started_round < pod.round)`,
    now,
    accountId,
  );
  return found.reduce((sum, pod) => {
    const gpuCount = numbers(pod.gpus).length;
    return sum + pod.runningRate - paidAhead(pod, gpuCount) - pod.metered;
  }, 0);
}

function* startingWorkers(accountId: string, now: number): Tx<number> {
  const found = yield* row<{ rate: number | null }>(
    `select sum(worker.rate) as rate from endpoint join worker on worker.endpoint_id = endpoint.id
     where endpoint.account_id = ? and worker.observed <> 'ended' and worker.desired = 'run'
       and not exists (select 1 from usage where resource_id = worker.id and ended_at is null
         and began_at <= ?)`,
    accountId,
    now,
  );
  return Number(found?.rate ?? 0);
}

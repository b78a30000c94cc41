// Which Pods savings plans may cover, and how many of their GPUs are covered.

import type { PodPricing } from "../../domain/pod/pod.ts";
import { numbers } from "../engine/row/columns.ts";
import { change, rows, type Tx } from "../engine/statement.ts";
import { notifyPod } from "./notify.ts";

export interface CoverablePod extends Omit<PodPricing, "stoppedRate"> {
  id: string;
  accountId: string;
  gpus: number[];
}

/** An account's on-demand Pods that should run on GPUs of the type, the oldest first. */
export function* coverablePods(accountId: string, gpuTypeId: string): Tx<CoverablePod[]> {
  const found = yield* rows<Omit<CoverablePod, "gpus"> & { gpus: string }>(
    `select id, account_id as "accountId", gpus, cost, running_rate as "runningRate",
       covered_gpus as "coveredGpus"
     from pod where account_id = ? and state = 'RUNNING' and gpu_type_id = ? and gpus <> ''
       and interruptible = 0 order by created_at, id`,
    accountId,
    gpuTypeId,
  );
  return found.map((pod) => ({ ...pod, gpus: numbers(pod.gpus) }));
}

export function* setCoveredGpus(pod: CoverablePod, coveredGpus: number): Tx<void> {
  yield* change("update pod set covered_gpus = ? where id = ?", coveredGpus, pod.id);
  yield* notifyPod(pod);
}

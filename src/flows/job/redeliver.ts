// A client asks for a webhook to be called again: a new delivery with its own tries, under the message
// id of the earlier one, so that a receiver recognizes a message it has.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { isEndedJob, type Job } from "../../domain/job/job.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import type { Store } from "../../store/engine/store.ts";
import { redeliverJob } from "../../transactions/job/deliver.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function redeliver(
  { store, clock }: { store: Store; clock: Clock },
  job: Job,
  n: number,
): Promise<Delivery> {
  const { id, state } = job;
  if (!isEndedJob(job)) throw new Fault("job_not_ended", { id, status: state });
  return throwRefusal(store.write(redeliverJob, job, n, clock.now()));
}

// What follows the end of a job: its webhook's delivery, and the end of its batch. Further deliveries on request.

import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import type { AfterTry } from "../../domain/webhook/next-try.ts";
import {
  insertDelivery,
  type RecordedTry,
  recordTry,
  repeatDelivery,
} from "../../store/delivery/delivery.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { lockJob } from "../../store/job/find.ts";

type EndedNow = Pick<Job, "seq" | "id" | "endpointId" | "webhook" | "batch">;

/** Creates the delivery for the end of a job that has a webhook, and wakes the loop that ends its batch. The job must be locked. */
export function* followEnd(job: EndedNow, now: number): Tx<void> {
  const { seq, id, endpointId, webhook: url, batch } = job;
  if (batch !== null) yield* notify(topic.batches);
  if (url === null) return;
  const about = { subject: "job", subjectSeq: seq, laneId: endpointId, url } as const;
  yield* insertDelivery(about, (n) => `msg_${id}_${n}`, now);
}

/** Creates a delivery that repeats the message of an earlier one. */
export function* redeliverJob(
  { id, seq, endpointId }: Pick<Job, "seq" | "id" | "endpointId">,
  n: number,
  now: number,
): Tx<Delivery | Fault> {
  yield* lockJob(id);
  const delivery = yield* repeatDelivery("job", seq, n, now);
  if (!delivery) return new Fault("delivery_not_found", { subject: "Job", id, n });
  yield* notify(topic.changedWithin("job", endpointId));
  return delivery;
}

/** Records one try of a job's webhook. */
export function* recordJobTry(delivery: Delivery, attempt: RecordedTry, after: AfterTry): Tx<void> {
  yield* recordTry(delivery, attempt, after);
  yield* notify(topic.changedWithin("job", delivery.laneId));
}

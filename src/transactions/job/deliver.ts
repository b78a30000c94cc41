// What follows the end of a job: its webhook's delivery, and the end of its batch. Further deliveries on request.

import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import type { AfterTry } from "../../domain/webhook/next-try.ts";
import {
  findDelivery,
  insertDelivery,
  type RecordedTry,
  recordTry,
} from "../../store/delivery/delivery.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { lockJob } from "../../store/job/find.ts";

type EndedNow = Pick<Job, "seq" | "id" | "endpointId" | "webhook" | "batch">;

/** Creates the delivery for the end of a job that has a webhook, and wakes the loop that ends its batch. The job must be locked. */
export function* followEnd(job: EndedNow, now: number): Tx<void> {
  const { id, webhook: url, batch } = job;
  if (batch !== null) yield* notify(topic.batches);
  if (url === null) return;
  yield* insertDelivery({ ...subjectOf(job), url }, (n) => `msg_${id}_${n}`, now);
  yield* notify(topic.deliveries);
}

/** Creates a delivery that repeats the message of an earlier one. */
export function* repeatDelivery(
  job: Pick<Job, "seq" | "id" | "endpointId">,
  n: number,
  now: number,
): Tx<Delivery | Fault> {
  const { id, seq } = job;
  yield* lockJob(id);
  const earlier = yield* findDelivery("job", seq, n);
  if (!earlier) return new Fault("delivery_not_found", { id, n });
  const { message, url } = earlier;
  const delivery = yield* insertDelivery({ ...subjectOf(job), url }, () => message, now);
  yield* notify(topic.deliveries);
  yield* notify(topic.changedWithin("job", job.endpointId));
  return delivery;
}

/** Records one try of a job's webhook. */
export function* recordJobTry(delivery: Delivery, attempt: RecordedTry, after: AfterTry): Tx<void> {
  yield* recordTry(delivery, attempt, after);
  yield* notify(topic.changedWithin("job", delivery.laneId));
}

const subjectOf = ({ seq, endpointId }: Pick<Job, "seq" | "endpointId">) =>
  ({ subject: "job", subjectSeq: seq, laneId: endpointId }) as const;

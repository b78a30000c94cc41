// Creates webhook deliveries: one when a job ends, and further ones on request.

import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import { findDelivery, insertDelivery } from "../../store/delivery/delivery.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { lockJob } from "../../store/job/find.ts";

type Deliverable = Pick<Job, "seq" | "id" | "endpointId" | "webhook">;

/** Creates the delivery for the end of a job that has a webhook. The job must be locked. */
export function* createDelivery(job: Deliverable, now: number): Tx<void> {
  const { webhook: url } = job;
  if (url === null) return;
  yield* insertDelivery(job, { message: (n) => `msg_${job.id}_${n}`, url }, now);
  yield* notify(topic.deliveries);
}

/** Creates a delivery that repeats the message of an earlier one. */
export function* repeatDelivery(
  { id, seq, endpointId }: Pick<Job, "seq" | "id" | "endpointId">,
  n: number,
  now: number,
): Tx<Delivery | Fault> {
  yield* lockJob(id);
  const earlier = yield* findDelivery(seq, n);
  if (!earlier) return new Fault("delivery_not_found", { id, n });
  const { message, url } = earlier;
  const delivery = yield* insertDelivery({ seq, endpointId }, { message: () => message, url }, now);
  yield* notify(topic.deliveries);
  return delivery;
}

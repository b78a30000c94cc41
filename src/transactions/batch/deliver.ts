// The deliveries of a batch's webhook: one at its end, further ones on request, and the tries of each.

import type { Batch } from "../../domain/batch/batch.ts";
import { Fault } from "../../domain/fault.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import type { AfterTry } from "../../domain/webhook/next-try.ts";
import { findBatchBySeq, lockBatch, notifyBatch } from "../../store/batch/batch.ts";
import {
  insertDelivery,
  type RecordedTry,
  recordTry,
  repeatDelivery,
} from "../../store/delivery/delivery.ts";
import type { Tx } from "../../store/engine/statement.ts";

/** Creates the delivery for the end of a batch that has a webhook. The batch must be locked. */
export function* deliverBatch(
  { seq: subjectSeq, id, endpointId: laneId, webhook: url }: Batch,
  now: number,
): Tx<void> {
  if (url === null) return;
  const about = { subject: "batch", subjectSeq, laneId, url } as const;
  yield* insertDelivery(about, (n) => `msg_${id}_${n}`, now);
}

/** Creates a delivery that repeats the message of an earlier one. */
export function* redeliverBatch(id: string, n: number, now: number): Tx<Delivery | Fault> {
  const batch = yield* lockBatch(id);
  if (!batch) return new Fault("batch_not_found", { id });
  const delivery = yield* repeatDelivery("batch", batch.seq, n, now);
  if (!delivery) return new Fault("delivery_not_found", { subject: "Batch", id, n });
  yield* notifyBatch(batch);
  return delivery;
}

/** Records one try of a batch's webhook. */
export function* recordBatchTry(
  delivery: Delivery,
  attempt: RecordedTry,
  after: AfterTry,
): Tx<void> {
  yield* recordTry(delivery, attempt, after);
  const batch = yield* findBatchBySeq(delivery.subjectSeq);
  if (batch) yield* notifyBatch(batch);
}

// The webhook deliveries of jobs, batches and notifications, and the tries of each.

import type {
  Delivery,
  DeliveryLog,
  DeliverySubject,
  DeliveryTry,
} from "../../domain/webhook/delivery.ts";
import type { AfterTry, TryOutcome } from "../../domain/webhook/next-try.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";
import { deliverySql } from "./delivery-sql.ts";

type NewDelivery = Pick<Delivery, "subject" | "subjectSeq" | "laneId" | "url">;

/** Inserts a subject's next delivery, due now. The subject must be locked: its deliveries are numbered. */
export function* insertDelivery(
  fields: NewDelivery,
  message: (n: number) => string,
  now: number,
): Tx<Delivery> {
  const { subject, subjectSeq, laneId, url } = fields;
  const sql = deliverySql[subject];
  const last = yield* row<{ n: number }>(sql.lastNumber, subjectSeq);
  const n = (last?.n ?? 0) + 1;
  const started = { state: "waiting", tries: 0, dueAt: now, createdAt: now } as const;
  const delivery: Delivery = { ...fields, n, message: message(n), ...started };
  yield* change(sql.insert, subjectSeq, n, laneId, delivery.message, url, now, now);
  yield* notify(topic.deliveries);
  return delivery;
}

/**
 * Inserts a delivery that repeats the message of the subject's delivery `n`; undefined if there is none. The subject
 * must be locked.
 */
export function* repeatDelivery(
  subject: DeliverySubject,
  seq: number,
  n: number,
  now: number,
): Tx<Delivery | undefined> {
  const earlier = yield* row<Delivery>(deliverySql[subject].find, seq, n);
  return earlier && (yield* insertDelivery(earlier, () => earlier.message, now));
}

export interface WaitingDeliveries {
  due: Delivery[];
  /** The earliest instant after `now` at which another one falls due. */
  nextAt: number | null;
}

/**
 * The first `limit` due deliveries of every lane, the oldest first. The limit is per lane, so that one
 * receiver's backlog does not delay the deliveries to others.
 */
export function* waitingDeliveries(
  subject: DeliverySubject,
  now: number,
  limit: number,
): Tx<WaitingDeliveries> {
  const sql = deliverySql[subject];
  const due: Delivery[] = [];
  let nextAt: number | null = null;
  for (let after = ""; ; ) {
    const next = yield* row<{ laneId: string }>(sql.nextLane, after);
    if (!next) return { due, nextAt };
    after = next.laneId;
    due.push(...(yield* rows<Delivery>(sql.due, after, now, limit)));
    const later = yield* row<{ at: number | null }>(sql.nextDue, after, now);
    if (later?.at != null) nextAt = Math.min(nextAt ?? later.at, later.at);
  }
}

/** False if a try was recorded since the delivery was read, or the delivery is settled. */
export function* isStillWaiting({ subject, subjectSeq, n, tries }: Delivery): Tx<boolean> {
  return (yield* row(deliverySql[subject].isWaiting, subjectSeq, n, tries)) !== undefined;
}

export function* hasWaitingDelivery(subject: DeliverySubject, seq: number): Tx<boolean> {
  return (yield* row(deliverySql[subject].hasWaiting, seq)) !== undefined;
}

export type RecordedTry = TryOutcome & Pick<DeliveryTry, "at" | "tookMs">;

/** Records one try and what follows from it. */
export function* recordTry(
  { subject, subjectSeq, n, tries }: Delivery,
  { at, status, error, tookMs }: RecordedTry,
  { state, nextAt }: AfterTry,
): Tx<void> {
  const sql = deliverySql[subject];
  yield* change(sql.insertTry, subjectSeq, n, tries + 1, at, status, error, tookMs);
  yield* change(sql.settle, state, nextAt, subjectSeq, n, tries);
}

/** A subject's deliveries in order, each with its tries. */
export function* deliveriesOf(subject: DeliverySubject, seq: number): Tx<DeliveryLog[]> {
  const sql = deliverySql[subject];
  const deliveries = yield* rows<Delivery>(sql.list, seq);
  const tries = yield* rows<DeliveryTry & { n: number }>(sql.listTries, seq);
  return deliveries.map((delivery) => {
    return { ...delivery, log: tries.filter(({ n }) => n === delivery.n) };
  });
}

/** Bounds the answer for an endpoint with many webhook calls. */
const MAX_TRIES = 1_000;

/** The latest webhook calls of an endpoint since an instant, oldest first. */
export function* webhookTries(
  endpointId: string,
  since: number,
): Tx<{ at: number; status: number | null }[]> {
  const found = yield* rows<{ at: number; status: number | null }>(
    `select delivery_try.at, delivery_try.status from delivery join delivery_try
       on delivery_try.job_seq = delivery.job_seq and delivery_try.n = delivery.n
     where delivery.endpoint_id = ? and delivery_try.at >= ?
     order by delivery_try.at desc limit ?`,
    endpointId,
    since,
    MAX_TRIES,
  );
  return found.reverse();
}

export function* deleteDeliveries(subject: DeliverySubject, seq: number): Tx<void> {
  yield* change(deliverySql[subject].deleteTries, seq);
  yield* change(deliverySql[subject].delete, seq);
}

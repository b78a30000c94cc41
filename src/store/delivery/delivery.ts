// The tables `delivery` and `delivery_try`: the webhook deliveries of a job's end, and the tries of
// each.

import type { Job } from "../../domain/job/job.ts";
import type { Delivery, DeliveryLog, DeliveryTry } from "../../domain/webhook/delivery.ts";
import type { AfterTry, TryOutcome } from "../../domain/webhook/next-try.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

const COLUMNS = `job_seq as "jobSeq", n, endpoint_id as "endpointId", message, url, state, tries,
  due_at as "dueAt", created_at as "createdAt"`;

/** Reads a job's delivery by its number. */
export function* findDelivery(jobSeq: number, n: number): Tx<Delivery | undefined> {
  return yield* row<Delivery>(
    `select ${COLUMNS} from delivery where job_seq = ? and n = ?`,
    jobSeq,
    n,
  );
}

/** Inserts a job's next delivery, due now. The job must be locked: its deliveries are numbered. */
export function* insertDelivery(
  job: Pick<Job, "seq" | "endpointId">,
  { message, url }: { message: (n: number) => string; url: string },
  now: number,
): Tx<Delivery> {
  const last = yield* row<{ n: number }>(
    "select coalesce(max(n), 0) as n from delivery where job_seq = ?",
    job.seq,
  );
  const n = (last?.n ?? 0) + 1;
  const delivery: Delivery = {
    jobSeq: job.seq,
    n,
    endpointId: job.endpointId,
    message: message(n),
    url,
    state: "waiting",
    tries: 0,
    dueAt: now,
    createdAt: now,
  };
  yield* change(
    `insert into delivery (job_seq, n, endpoint_id, message, url, state, tries, due_at, created_at)
     values (?, ?, ?, ?, ?, 'waiting', 0, ?, ?)`,
    job.seq,
    n,
    job.endpointId,
    delivery.message,
    url,
    now,
    now,
  );
  return delivery;
}

export interface WaitingDeliveries {
  due: Delivery[];
  /** The earliest instant after `now` at which another one falls due. */
  nextAt: number | null;
}

/**
 * The first `most` due deliveries of every endpoint, the oldest first. The limit is per endpoint,
 * so that one endpoint's backlog does not delay another's deliveries.
 */
export function* waitingDeliveries(now: number, most: number): Tx<WaitingDeliveries> {
  const due: Delivery[] = [];
  let nextAt: number | null = null;
  for (let after = ""; ; ) {
    const next = yield* row<{ endpoint_id: string }>(
      `select endpoint_id from delivery where state = 'waiting' and endpoint_id > ?
       order by endpoint_id limit 1`,
      after,
    );
    if (!next) return { due, nextAt };
    after = next.endpoint_id;
    const some = yield* rows<Delivery>(
      `select ${COLUMNS} from delivery
       where state = 'waiting' and endpoint_id = ? and due_at <= ?
       order by due_at limit ?`,
      after,
      now,
      most,
    );
    due.push(...some);
    const later = yield* row<{ at: number | null }>(
      `select min(due_at) as at from delivery
       where state = 'waiting' and endpoint_id = ? and due_at > ?`,
      after,
      now,
    );
    if (later?.at != null) nextAt = Math.min(nextAt ?? later.at, later.at);
  }
}

/** False if a try was recorded since the delivery was read, or the delivery is settled. */
export function* isStillWaiting({ jobSeq, n, tries }: Delivery): Tx<boolean> {
  const found = yield* row(
    "select 1 from delivery where job_seq = ? and n = ? and tries = ? and state = 'waiting'",
    jobSeq,
    n,
    tries,
  );
  return found !== undefined;
}

export function* hasWaitingDelivery(jobSeq: number): Tx<boolean> {
  const found = yield* row(
    "select 1 from delivery where job_seq = ? and state = 'waiting'",
    jobSeq,
  );
  return found !== undefined;
}

/** Records one try and what follows from it. */
export function* recordTry(
  delivery: Delivery,
  outcome: TryOutcome & { at: number; tookMs: number },
  { state, nextAt }: AfterTry,
): Tx<void> {
  yield* change(
    `insert into delivery_try (job_seq, n, try, at, status, error, took_ms)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    delivery.jobSeq,
    delivery.n,
    delivery.tries + 1,
    outcome.at,
    outcome.status,
    outcome.error,
    outcome.tookMs,
  );
  yield* change(
    `update delivery set state = ?, tries = tries + 1, due_at = ?
     where job_seq = ? and n = ? and tries = ?`,
    state,
    nextAt,
    delivery.jobSeq,
    delivery.n,
    delivery.tries,
  );
}

/** A job's deliveries in order, each with its tries. */
export function* deliveriesOf(jobSeq: number): Tx<DeliveryLog[]> {
  const deliveries = yield* rows<Delivery>(
    `select ${COLUMNS} from delivery where job_seq = ? order by n`,
    jobSeq,
  );
  const tries = yield* rows<DeliveryTry & { n: number }>(
    `select n, try, at, status, error, took_ms as "tookMs" from delivery_try
     where job_seq = ? order by n, try`,
    jobSeq,
  );
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

export function* deleteDeliveries(jobSeq: number): Tx<void> {
  yield* change("delete from delivery_try where job_seq = ?", jobSeq);
  yield* change("delete from delivery where job_seq = ?", jobSeq);
}

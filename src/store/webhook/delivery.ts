// Webhook deliveries: due as soon as a job ends, every try recorded, and delivered again on request.

import { JOB_COLUMNS, type JobRow } from "../job/row.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

export interface DeliveryRow {
  job_seq: number;
  n: number;
  url: string;
  state: "waiting" | "delivered" | "failed";
  tries: number;
  due_at: number | null;
  created_at: number;
}

export interface DeliveryTryRow {
  n: number;
  try: number;
  at: number;
  status: number | null;
  error: string | null;
  took_ms: number;
}

/** Makes a delivery due now, in the transaction that ends the job. */
export function* dueDelivery(jobSeq: number, url: string, now: number): Verb<number> {
  const last = yield* row<{ n: number }>(
    "select coalesce(max(n), 0) as n from delivery where job_seq = ?",
    jobSeq,
  );
  const n = (last?.n ?? 0) + 1;
  yield* change(
    `insert into delivery (job_seq, n, url, state, tries, due_at, created_at)
     values (?, ?, ?, 'waiting', 0, ?, ?)`,
    jobSeq,
    n,
    url,
    now,
    now,
  );
  yield* ring(topic.deliveries);
  return n;
}

/** Deliveries that are due, oldest first. */
export function* deliveriesDue(now: number, most: number): Verb<DeliveryRow[]> {
  return yield* rows<DeliveryRow>(
    "select * from delivery where state = 'waiting' and due_at <= ? order by due_at limit ?",
    now,
    most,
  );
}

export function* nextDeliveryAt(): Verb<number | null> {
  const next = yield* row<{ at: number | null }>(
    "select min(due_at) as at from delivery where state = 'waiting'",
  );
  return next?.at ?? null;
}

/** The job a delivery tells of, with its input. */
export function* deliveryJob(
  jobSeq: number,
): Verb<(JobRow & { input: string | null; input_payload: string | null }) | null> {
  const found = yield* row<JobRow & { input: string | null; input_payload: string | null }>(
    `select ${JOB_COLUMNS}, input, input_payload from job where seq = ?`,
    jobSeq,
  );
  return found ?? null;
}

/** Records one try and what follows from it. `nextAt` is null after the last try or a success. */
export function* recordTry(
  delivery: DeliveryRow,
  outcome: { at: number; status: number | null; error: string | null; tookMs: number },
  state: DeliveryRow["state"],
  nextAt: number | null,
): Verb<void> {
  yield* change(
    `insert into delivery_try (job_seq, n, try, at, status, error, took_ms)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    delivery.job_seq,
    delivery.n,
    delivery.tries + 1,
    outcome.at,
    outcome.status,
    outcome.error,
    outcome.tookMs,
  );
  yield* change(
    "update delivery set state = ?, tries = tries + 1, due_at = ? where job_seq = ? and n = ?",
    state,
    nextAt,
    delivery.job_seq,
    delivery.n,
  );
}

export function* deliveriesOf(jobSeq: number): Verb<(DeliveryRow & { log: DeliveryTryRow[] })[]> {
  const found = yield* rows<DeliveryRow>(
    "select * from delivery where job_seq = ? order by n",
    jobSeq,
  );
  const tries = yield* rows<DeliveryTryRow>(
    "select n, try, at, status, error, took_ms from delivery_try where job_seq = ? order by n, try",
    jobSeq,
  );
  return found.map((delivery) => ({ ...delivery, log: tries.filter(({ n }) => n === delivery.n) }));
}

// Webhook deliveries: due as soon as a job ends, every try recorded, and delivered again on request.

import type { AfterTry, TryOutcome } from "../../domain/webhook/next-try.ts";
import { type JobRow, QUALIFIED_JOB_COLUMNS } from "../job/row.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

export interface DeliveryRow {
  job_seq: number;
  n: number;
  endpoint_id: string;
  message: string;
  url: string;
  state: "waiting" | "delivered" | "failed";
  tries: number;
  due_at: number | null;
  created_at: number;
}

/** What a delivery is made from. */
type DeliverableJob = Pick<JobRow, "seq" | "id" | "endpoint_id" | "webhook">;

export interface DeliveryTryRow {
  n: number;
  try: number;
  at: number;
  status: number | null;
  error: string | null;
  took_ms: number;
}

/** Makes a delivery due now, in the transaction that ends the job. */
export function* dueDelivery(job: DeliverableJob, now: number): Verb<void> {
  if (job.webhook === null) return;
  const n = yield* nextNumber(job.seq);
  yield* insert(job, { n, message: `msg_${job.id}_${n}`, url: job.webhook }, now);
}

/** Makes an earlier delivery due once more, under a number of its own; null if there is none. */
export function* dueAgain(job: JobRow, n: number, now: number): Verb<DeliveryRow | null> {
  yield* row("select 1 from job where seq = ? /*+ for update */", job.seq);
  const [earlier] = yield* rows<DeliveryRow>(
    "select * from delivery where job_seq = ? and n = ?",
    job.seq,
    n,
  );
  if (!earlier) return null;
  const again = { n: yield* nextNumber(job.seq), message: earlier.message, url: earlier.url };
  return yield* insert(job, again, now);
}

/** Whoever makes a delivery has locked its job. */
function* nextNumber(jobSeq: number): Verb<number> {
  const last = yield* row<{ n: number }>(
    "select coalesce(max(n), 0) as n from delivery where job_seq = ?",
    jobSeq,
  );
  return (last?.n ?? 0) + 1;
}

function* insert(
  job: DeliverableJob,
  { n, message, url }: Pick<DeliveryRow, "n" | "message" | "url">,
  now: number,
): Verb<DeliveryRow> {
  yield* change(
    `insert into delivery (job_seq, n, endpoint_id, message, url, state, tries, due_at, created_at)
     values (?, ?, ?, ?, ?, 'waiting', 0, ?, ?)`,
    job.seq,
    n,
    job.endpoint_id,
    message,
    url,
    now,
    now,
  );
  yield* ring(topic.deliveries);
  const waiting = { state: "waiting" as const, tries: 0, due_at: now, created_at: now };
  return { job_seq: job.seq, n, endpoint_id: job.endpoint_id, message, url, ...waiting };
}

export interface WaitingDeliveries {
  due: DeliveryRow[];
  /** The earliest instant after `now` at which another one falls due. */
  nextAt: number | null;
}

/**
 * The first `most` due deliveries of every endpoint, its oldest first: however many an endpoint has
 * waiting, it hides nobody else's.
 */
export function* waitingDeliveries(now: number, most: number): Verb<WaitingDeliveries> {
  const due: DeliveryRow[] = [];
  let nextAt: number | null = null;
  for (let after = ""; ; ) {
    const next = yield* row<{ endpoint_id: string }>(
      `select endpoint_id from delivery where state = 'waiting' and endpoint_id > ?
       order by endpoint_id limit 1`,
      after,
    );
    if (!next) return { due, nextAt };
    after = next.endpoint_id;
    const some = yield* rows<DeliveryRow>(
      `select * from delivery where state = 'waiting' and endpoint_id = ? and due_at <= ?
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

/** A job with what its webhook carries beside what clients read. */
export interface DeliveredJob extends JobRow {
  input: string | null;
  input_payload: string | null;
  webhook_secret: string | null;
}

export function* deliveredJob(jobSeq: number): Verb<DeliveredJob | undefined> {
  return yield* row<DeliveredJob>(
    `select ${QUALIFIED_JOB_COLUMNS}, job.input, job.input_payload, account.webhook_secret
     from job join endpoint on endpoint.id = job.endpoint_id
       join account on account.id = endpoint.account_id
     where job.seq = ?`,
    jobSeq,
  );
}

/** False once another try of it was recorded than those it was read with, or it was settled. */
export function* stillWaiting({ job_seq, n, tries }: DeliveryRow): Verb<boolean> {
  const found = yield* row(
    "select 1 from delivery where job_seq = ? and n = ? and tries = ? and state = 'waiting'",
    job_seq,
    n,
    tries,
  );
  return found !== undefined;
}

/** Records one try and what follows from it. */
export function* recordTry(
  delivery: DeliveryRow,
  outcome: TryOutcome & { at: number; tookMs: number },
  { state, nextAt }: AfterTry,
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
    `update delivery set state = ?, tries = tries + 1, due_at = ?
     where job_seq = ? and n = ? and tries = ?`,
    state,
    nextAt,
    delivery.job_seq,
    delivery.n,
    delivery.tries,
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

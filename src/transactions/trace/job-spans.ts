// The spans that a commit ends of a job: a wait in its queue, or a run on a worker. A job without a sampled trace
// costs nothing here.

import type { ClaimedJob, Job, RunningJob } from "../../domain/job/job.ts";
import { queueSpan, runSpan, type TracedRun } from "../../domain/spans/job-spans.ts";
import type { Span } from "../../domain/trace/span.ts";
import { storedContext, type TraceContext } from "../../domain/trace/trace-context.ts";
import { endSpans, type Tx } from "../../store/engine/statement.ts";
import { readinessOf } from "../../store/worker/start.ts";

type TracedJob = Pick<Job, "id" | "endpointId" | "trace">;

function* endSpan(job: TracedJob, span: (submit: TraceContext) => Span): Tx<void> {
  if (job.trace === null) return;
  const submit = storedContext(job.trace);
  if (submit.sampled) yield* endSpans(() => [span(submit)]);
}

interface Claim {
  endpointId: string;
  workerId: string;
  now: number;
}

/** A worker claimed the jobs. */
export function* endWaits(jobs: ClaimedJob[], { endpointId, workerId, now }: Claim): Tx<void> {
  const traced = jobs.filter(({ trace }) => trace !== null);
  if (traced.length === 0) return;
  const readiness = yield* readinessOf(workerId);
  const worker = readiness ? { id: workerId, ...readiness } : null;
  for (const { id, trace, queuedAt } of traced) {
    const wait = { queuedAt, endedAt: now, worker, reason: null };
    const job = { id, endpointId };
    yield* endSpan({ ...job, trace }, (submit) => queueSpan(job, submit, wait));
  }
}

/** The job ended in its queue. One that was delayed had not entered it. */
export function* endWait(job: Job, reason: string, now: number): Tx<void> {
  if (job.state !== "IN_QUEUE") return;
  const { id, endpointId, trace, queuedAt } = job;
  const wait = { queuedAt, endedAt: now, worker: null, reason };
  yield* endSpan({ id, endpointId, trace }, (submit) =>
    queueSpan({ id, endpointId }, submit, wait),
  );
}

export function* endRun({ id, endpointId, trace }: TracedJob, run: TracedRun): Tx<void> {
  yield* endSpan({ id, endpointId, trace }, (submit) => runSpan({ id, endpointId }, submit, run));
}

/** The current attempt of a locked job. */
export function* endRunOf(job: RunningJob, end: TracedRun["end"], now: number): Tx<void> {
  const { attempts: n, workerId, takenAt } = job;
  yield* endRun(job, { n, workerId, takenAt, endedAt: now, end });
}

export const endOf = (error: string | null): TracedRun["end"] =>
  error === null ? { completed: true } : { error };

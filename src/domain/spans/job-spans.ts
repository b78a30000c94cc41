// The spans of a job: its submission, each wait in its queue, each run on a worker, each call of its webhook. All
// of them lie below the submission, whose context is stored with the job.
//
//   submit ─┬─ queue ── (linked: the cold start of the worker)
//           ├─ run
//           └─ webhook

import { errorText } from "../job/error-text.ts";
import type { Job, JobAttempt } from "../job/job.ts";
import { below, type Span, type SpanAttributes, spanError, spanIdOf } from "../trace/span.ts";
import type { TraceContext } from "../trace/trace-context.ts";
import { coldStartOf } from "./worker-spans.ts";

export type TracedJob = Pick<Job, "id" | "endpointId">;

function attributesOf({ id, endpointId }: TracedJob, operation: string): SpanAttributes {
  return {
    "messaging.system": "freehold",
    "messaging.destination.name": endpointId,
    "messaging.message.id": id,
    "messaging.operation.name": operation,
  };
}

/** The context that is stored with a job and handed on. `parent` is the span of the request. */
export const submitContext = (jobId: string, parent: TraceContext): TraceContext =>
  below(parent, spanIdOf("submit", jobId));

/** From the request to the commit that makes the job durable. */
export function submitSpan(
  job: TracedJob & { inputBytes: number },
  parent: TraceContext,
  { startMs, endMs }: Pick<Span, "startMs" | "endMs">,
): Span {
  return {
    name: `submit ${job.endpointId}`,
    kind: "producer",
    context: submitContext(job.id, parent),
    parentSpanId: parent.spanId,
    startMs,
    endMs,
    attributes: {
      ...attributesOf(job, "submit"),
      "messaging.operation.type": "send",
      "messaging.message.body.size": job.inputBytes,
    },
    links: [],
    error: null,
  };
}

/** A wait in the queue, and what ended it. */
export interface Wait {
  queuedAt: number;
  endedAt: number;
  /** The worker that took the job; null where the job ended first. */
  worker: { id: string; createdAt: number; readyAt: number | null } | null;
  /** Why the job left its queue without a worker. */
  reason: string | null;
}

/** A worker that became ready only after the job was queued is what the job waited for. */
export function queueSpan(job: TracedJob, submit: TraceContext, wait: Wait): Span {
  const { queuedAt, endedAt, worker, reason } = wait;
  const isCold = worker !== null && (worker.readyAt === null || worker.readyAt >= queuedAt);
  return {
    name: `queue ${job.endpointId}`,
    kind: "internal",
    context: below(submit, spanIdOf("queue", job.id, queuedAt)),
    parentSpanId: submit.spanId,
    startMs: Math.min(queuedAt, endedAt),
    endMs: endedAt,
    attributes: {
      ...attributesOf(job, "queue"),
      ...(worker && { "freehold.worker.id": worker.id, "freehold.worker.cold_start": isCold }),
    },
    links: isCold ? [coldStartOf(worker.id)] : [],
    error: reason === null ? null : spanError("not_dispatched", reason),
  };
}

/** The context that the worker of an attempt gets with its job. */
export const runContext = (jobId: string, attempt: number, submit: TraceContext): TraceContext =>
  submit.sampled ? below(submit, spanIdOf("run", jobId, attempt)) : submit;

/** `error` is the handler's; an attempt that ended without a result has its outcome instead. */
export interface TracedRun extends Omit<JobAttempt, "outcome"> {
  end: { completed: true } | { error: string } | { lost: string };
}

export function runSpan(job: TracedJob, submit: TraceContext, run: TracedRun): Span {
  const { n, workerId, takenAt, endedAt, end } = run;
  return {
    name: `run ${job.endpointId}`,
    kind: "consumer",
    context: runContext(job.id, n, submit),
    parentSpanId: submit.spanId,
    startMs: takenAt,
    endMs: endedAt,
    attributes: {
      ...attributesOf(job, "run"),
      "messaging.operation.type": "process",
      "freehold.worker.id": workerId,
      "freehold.job.attempt": n,
      "freehold.job.outcome": outcomeOf(end),
    },
    links: [],
    error: errorOf(end),
  };
}

function outcomeOf(end: TracedRun["end"]): string {
  if ("completed" in end) return "completed";
  return "error" in end ? "failed" : "no_result";
}

function errorOf(end: TracedRun["end"]) {
  if ("completed" in end) return null;
  if ("lost" in end) return spanError("no_result", end.lost);
  return spanError("handler_error", errorText(end.error));
}

/** One call of a job's webhook. */
export interface WebhookCall {
  message: string;
  url: string;
  /** 1 for the first. */
  try: number;
  startMs: number;
  endMs: number;
  status: number | null;
  error: string | null;
}

/** The context that the webhook's receiver gets. */
export const webhookContext = (
  message: string,
  tries: number,
  submit: TraceContext,
): TraceContext => (submit.sampled ? below(submit, spanIdOf("webhook", message, tries)) : submit);

export function webhookSpan(job: TracedJob, submit: TraceContext, call: WebhookCall): Span {
  const { origin, pathname, hostname, port, protocol } = new URL(call.url);
  return {
    name: `webhook ${job.endpointId}`,
    kind: "client",
    context: webhookContext(call.message, call.try, submit),
    parentSpanId: submit.spanId,
    startMs: call.startMs,
    endMs: call.endMs,
    attributes: {
      "http.request.method": "POST",
      "url.full": `${origin}${pathname}`, // a query may hold a secret
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
      ...(call.status !== null && { "http.response.status_code": call.status }),
      ...(call.try > 1 && { "http.request.resend_count": call.try - 1 }),
      ...attributesOf(job, "webhook"),
      "freehold.webhook.id": call.message,
    },
    links: [],
    error: call.error === null ? null : spanError(String(call.status ?? "no_answer"), call.error),
  };
}

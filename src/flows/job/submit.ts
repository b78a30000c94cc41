// A client submits a job. It is in its queue and durable before the client is answered.

import type { LongText } from "../../base/json/body.ts";
import { DAY_MS } from "../../base/units.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { BatchItem, NewJob } from "../../domain/job/job.ts";
import type { JobPolicy } from "../../domain/job/job-policy.ts";
import { decideRetention } from "../../domain/job/retention.ts";
import { decideStart } from "../../domain/job/schedule/start-time.ts";
import { bytesOf } from "../../domain/payload.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { submitContext, submitSpan } from "../../domain/spans/job-spans.ts";
import type { Tracer } from "../../domain/trace/span.ts";
import { type TraceContext, traceText } from "../../domain/trace/trace-context.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { submitJob, submitWithinStorage } from "../../transactions/job/submit.ts";
import { bytesOfNew } from "../../transactions/storage/job-bytes.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { storeText } from "../payload/store-text.ts";
import type { StorageQuota } from "../storage-quota.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface JobRequest {
  endpoint: Endpoint;
  sync: boolean;
  /** The input's JSON text as the client wrote it. */
  input: LongText;
  webhook: string | null;
  /** Further members of the job object that the worker is given, as JSON text. */
  extras: string | null;
  policy: JobPolicy;
  /** True where the client gave `wait`: a sync result is then kept longer. */
  hasWait: boolean;
  /** The trace of the request: its own span where this replica traces, or else its caller's; null for none. */
  trace: TraceContext | null;
  once: IdempotencyKey | null;
}

export interface SubmitDeps extends FlowDeps {
  protocol: Protocol;
  storageQuota: StorageQuota;
  /** Null if tracing is off. */
  tracer: Tracer | null;
}

export async function submit(deps: SubmitDeps, request: JobRequest): Promise<string> {
  return enqueue(deps, await newJob(deps, request), request);
}

/** Builds the job of a request, with its id, before it is stored. */
export async function newJob(deps: SubmitDeps, request: JobRequest): Promise<NewJob> {
  // Refused before anything is stored.
  decideStart(request.policy, deps.clock.now());
  if (deps.store.isFull) throw new Fault("disk_full");
  const bytes = bytesOfRequest(request);
  const storageLimit = await deps.storageQuota.admit(request.endpoint.accountId, bytes);
  return { ...(await admittedJob(deps, request, null)), storageLimit };
}

/** The job of a request that was admitted before, as part of a batch. */
export async function admittedJob(
  deps: Omit<SubmitDeps, "storageQuota">,
  request: JobRequest,
  batch: BatchItem | null,
): Promise<NewJob> {
  const input = await storeText(deps, request.input);
  const now = deps.clock.now();
  const { policy, endpoint } = request;
  const id = deps.ids.job(request.sync, now);
  const { keepMs, failureKeepMs } = decideRetention(deps.protocol, endpoint.spec, request);
  return {
    id,
    endpointId: endpoint.id,
    sync: request.sync,
    priority: policy.priority ?? 0,
    lowPriority: policy.lowPriority ?? false,
    now,
    ttlMs: policy.ttlMs ?? deps.protocol.defaultTtlMs,
    executionMs: policy.executionTimeoutMs ?? executionMs(endpoint),
    keepMs,
    failureKeepMs,
    webhook: request.webhook,
    retry: policy.retry ?? endpoint.spec.retryPolicy,
    concurrency: policy.concurrency ?? null,
    rateLimit: policy.rateLimit ?? null,
    startAt: decideStart(policy, now),
    extras: request.extras,
    trace: traceOf(deps, id, request.trace),
    batch,
    input,
  };
}

/** Returns the job's id, or that of the job which an earlier request with the same key created. */
export async function enqueue(
  deps: Pick<SubmitDeps, "store" | "clock" | "tracer">,
  job: NewJob,
  { once, trace }: Pick<JobRequest, "once" | "trace">,
): Promise<string> {
  const { store } = deps;
  if (once) {
    const id = await throwRefusal(store.write(submitOnce, once, job));
    if (id !== job.id) return id;
  } else if (job.storageLimit) await throwRefusal(store.write(submitWithinStorage, job));
  else await store.write(submitJob, job);
  if (trace) recordSubmit(deps, job, trace);
  return job.id;
}

/** Without a tracer the caller's context is handed on as it came. */
function traceOf(
  { tracer }: Pick<SubmitDeps, "tracer">,
  id: string,
  trace: TraceContext | null,
): string | null {
  if (trace === null) return null;
  return traceText(tracer ? submitContext(id, trace) : trace);
}

/** What its job will store at most: a caller's trace may be replaced by a shorter one. */
const bytesOfRequest = ({ input, webhook, extras, trace }: JobRequest): number =>
  bytesOfNew({ inputBytes: input.length, webhook, extras, trace: trace && traceText(trace) });

/** The job is durable. */
export function recordSubmit(
  { tracer, clock }: Pick<SubmitDeps, "clock" | "tracer">,
  { id, endpointId, input, now: startMs }: NewJob,
  trace: TraceContext,
): void {
  if (!trace.sampled) return;
  const job = { id, endpointId, inputBytes: bytesOf(input) };
  tracer?.record(submitSpan(job, trace, { startMs, endMs: clock.now() }));
}

function* submitOnce(once: IdempotencyKey, job: NewJob): Tx<string | Fault> {
  return yield* createOnce(once, job.now, function* () {
    return (yield* submitWithinStorage(job)) ?? job.id;
  });
}

/** An endpoint's 0 means no limit of its own; no job may run longer than a week. */
function executionMs(endpoint: Endpoint): number {
  return endpoint.spec.executionTimeoutMs || 7 * DAY_MS;
}

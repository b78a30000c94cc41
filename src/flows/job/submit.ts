// A client submits a job: it is in the queue, on disk, before the client hears of it.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LongText } from "../../base/json/body.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import { type NewJob, submitJob } from "../../store/job/submit.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { keepText } from "../payload/keep-text.ts";

export interface JobRequest {
  endpoint: Endpoint;
  sync: boolean;
  /** The input's JSON text as the client wrote it. */
  input: LongText;
  webhook: string | null;
  /** Members that the worker is given beside the input, as JSON text. */
  extras: string | null;
  policy: { executionTimeoutMs?: number; ttlMs?: number; lowPriority?: boolean; priority?: number };
  /** True where the client gave `wait`: a sync result is then kept longer. */
  waitGiven: boolean;
  once: Once | null;
}

export async function submit(
  deps: { store: Store; clock: Clock; ids: Ids; protocol: Protocol },
  request: JobRequest,
): Promise<string> {
  return enqueue(deps, await newJob(deps, request), request.once);
}

/** The job that a request asks for, with its id, before it is in any queue. */
export async function newJob(
  deps: { store: Store; clock: Clock; ids: Ids; protocol: Protocol },
  request: JobRequest,
): Promise<NewJob> {
  const input = await keepText(deps, request.input);
  const now = deps.clock.now();
  const { policy, endpoint } = request;
  return {
    id: deps.ids.job(request.sync, now),
    endpointId: endpoint.id,
    sync: request.sync,
    priority: policy.priority ?? 0,
    lowPriority: policy.lowPriority ?? false,
    now,
    ttlMs: policy.ttlMs ?? deps.protocol.defaultTtlMs,
    executionMs: policy.executionTimeoutMs ?? executionMs(endpoint),
    keepMs: keepMs(deps.protocol, request),
    webhook: request.webhook,
    extras: request.extras,
    input,
  };
}

/** Returns the job's id, or that of the job which the same request has made before. */
export async function enqueue(
  { store }: { store: Store },
  job: NewJob,
  once: Once | null,
): Promise<string> {
  if (!once) {
    await store.write(submitJob, job);
    return job.id;
  }
  const result = await store.write(submitOnce, once, job);
  if (result === "conflict") throw new Fault("idempotency_conflict");
  return result.answer;
}

function* submitOnce(once: Once, job: NewJob): Verb<{ answer: string } | "conflict"> {
  return yield* doOnce(once, job.now, function* () {
    yield* submitJob(job);
    return job.id;
  });
}

/** An endpoint's 0 means no limit; a week is as long as any job may run. */
function executionMs(endpoint: Endpoint): number {
  return endpoint.spec.executionTimeoutMs || 7 * 24 * 3_600_000;
}

function keepMs(protocol: Protocol, request: JobRequest): number {
  if (!request.sync) return protocol.keepAsyncMs;
  return request.waitGiven ? protocol.keepSyncWaitMs : protocol.keepSyncMs;
}

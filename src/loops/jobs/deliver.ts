// Calls webhooks when jobs end.

import type { EndedJob } from "../../domain/job/job.ts";
import { webhookSpan } from "../../domain/spans/job-spans.ts";
import type { Span } from "../../domain/trace/span.ts";
import { storedContext } from "../../domain/trace/trace-context.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import type { TryOutcome } from "../../domain/webhook/next-try.ts";
import type { Store } from "../../store/engine/store.ts";
import { findWebhookJob } from "../../store/job/find.ts";
import { recordJobTry } from "../../transactions/job/deliver.ts";
import { type DeliverDeps, type DeliveryAttempt, deliverLoop } from "../deliveries/deliver.ts";
import { post } from "../deliveries/post.ts";
import type { Loop } from "../engine/loop.ts";
import { buildWebhookRequest } from "./webhook-request.ts";

interface JobDeliverDeps extends DeliverDeps {
  /** The time that a webhook says it was sent at, by its URL. */
  timeFor(url: string): number;
}

export function deliverJobsLoop(deps: JobDeliverDeps): Loop {
  return deliverLoop(deps, {
    name: "deliver",
    subject: "job",
    attempt: (delivery, signal) => attempt(deps, delivery, signal),
    record: recordJobTry,
  });
}

async function attempt(
  { store, clock, protocol, reach, timeFor }: JobDeliverDeps,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const found = await store.read(findWebhookJob, delivery.subjectSeq);
  if (!found || delivery.createdAt < found.job.finishedAt) {
    const error = "the job was retried before this could be delivered";
    return { status: null, error, final: true };
  }
  const sentAt = timeFor(delivery.url);
  const webhookRequest = await buildWebhookRequest(store, delivery, found, sentAt);
  const timeoutMs = protocol.webhookTimeoutMs;
  const startMs = clock.now();
  const outcome = await post(webhookRequest, { clock, timeoutMs, reach, signal });
  const hasEnded = outcome.status !== null || !signal.aborted;
  if (hasEnded) endCall(store, found.job, delivery, { ...outcome, startMs, endMs: clock.now() });
  return outcome;
}

function endCall(
  { notifier: { tracer } }: Store,
  { id, endpointId, trace }: EndedJob,
  { message, url, tries }: Delivery,
  { status, error, startMs, endMs }: TryOutcome & Pick<Span, "startMs" | "endMs">,
): void {
  if (trace === null || tracer === null) return;
  const call = { message, url, try: tries + 1, status, error, startMs, endMs };
  tracer.record(webhookSpan({ id, endpointId }, storedContext(trace), call));
}

// Calls webhooks when jobs end.

import type { Delivery } from "../../domain/webhook/delivery.ts";
import { recordTry } from "../../store/delivery/delivery.ts";
import { findWebhookJob } from "../../store/job/find.ts";
import { type Attempt, type DeliverDeps, deliverLoop } from "../deliveries/deliver.ts";
import { post } from "../deliveries/post.ts";
import type { Loop } from "../engine/loop.ts";
import { buildWebhookRequest } from "./webhook-request.ts";

export function deliverJobsLoop(deps: DeliverDeps): Loop {
  return deliverLoop(deps, {
    name: "deliver",
    subject: "job",
    attempt: (delivery, signal) => attempt(deps, delivery, signal),
    record: recordTry,
  });
}

async function attempt(
  { store, clock, protocol, reach }: DeliverDeps,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const found = await store.read(findWebhookJob, delivery.subjectSeq);
  if (!found || delivery.createdAt < found.job.finishedAt) {
    const error = "the job was retried before this could be delivered";
    return { status: null, error, final: true };
  }
  const webhookRequest = await buildWebhookRequest(store, delivery, found, clock.now());
  const timeoutMs = protocol.webhookTimeoutMs;
  return post(webhookRequest, { clock, timeoutMs, reach, signal });
}

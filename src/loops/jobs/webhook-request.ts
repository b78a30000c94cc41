// The request to a webhook: the job as clients read it, with its input and the webhook's address, signed
// where the account has a secret. Members meant for the worker alone are left out.

import type { EndedJob } from "../../domain/job/job.ts";
import { webhookContext } from "../../domain/spans/job-spans.ts";
import { storedContext, storedFields, traceFields } from "../../domain/trace/trace-context.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import { WebhookSignature } from "../../domain/webhook/signature.ts";
import { membersText, readOutput } from "../../flows/job/job-text.ts";
import { joinTexts } from "../../flows/payload/join-text.ts";
import { type ReadText, readText } from "../../flows/payload/read-text.ts";
import type { Store } from "../../store/engine/store.ts";
import type { WebhookJob } from "../../store/job/find.ts";
import { JSON_HEADERS } from "../deliveries/json-request.ts";
import type { WebhookRequest } from "../deliveries/post.ts";

export async function buildWebhookRequest(
  store: Store,
  delivery: Delivery,
  { job, input: stored, secret }: WebhookJob,
  now: number,
): Promise<WebhookRequest> {
  const { url, message } = delivery;
  const input = await readText(store, stored, job.id);
  const members = membersText(job, await readOutput(store, job), now);
  const webhook = `,"webhook":${JSON.stringify(url)}}`;
  const body = joinTexts(...members, ',"input":', input ?? "{}", webhook);
  const signature = new WebhookSignature(message, now, secret);
  await sign(signature, body);
  const trace = traceHeaders(store, delivery, job);
  return { url, body, headers: { ...JSON_HEADERS, ...trace, ...signature.headers() } };
}

/** The trace of the job, so that the receiver's spans continue it. */
function traceHeaders({ notifier }: Store, { message, tries }: Delivery, { trace }: EndedJob) {
  if (trace === null) return {};
  if (notifier.tracer === null) return storedFields(trace);
  return traceFields(webhookContext(message, tries + 1, storedContext(trace)));
}

/** The signature is sent before the body, so a long body is read twice: to sign it and to send it. */
async function sign(signature: WebhookSignature, body: ReadText): Promise<void> {
  if (!signature.desired) return;
  if ("text" in body) return signature.update(body.text);
  for await (const piece of body.pieces()) signature.update(piece);
}

// What a webhook's receiver is sent: the job as clients read it, with its input and the address
// itself; signed where the account has a secret. What was meant for the worker alone stays out.

import { WebhookSignature } from "../../domain/webhook/signature.ts";
import { membersText, outputOf } from "../../flows/job/job-text.ts";
import { joined } from "../../flows/payload/join-text.ts";
import { type ReadText, readText } from "../../flows/payload/read-text.ts";
import type { Store } from "../../store/store.ts";
import type { DeliveredJob, DeliveryRow } from "../../store/webhook/delivery.ts";
import type { Letter } from "./post.ts";

export async function letterFor(
  store: Store,
  delivery: DeliveryRow,
  job: DeliveredJob,
  now: number,
): Promise<Letter> {
  const { url, message } = delivery;
  const kept = { inline: job.input, payload: job.input_payload };
  const input = await readText(store, kept, job.id);
  const members = membersText(job, await outputOf(store, job), now);
  const webhook = `,"webhook":${JSON.stringify(url)}}`;
  const body = joined(...members, ',"input":', input ?? "{}", webhook);
  const signature = new WebhookSignature(message, now, job.webhook_secret);
  await sign(signature, body);
  const headers = { "content-type": "application/json", "user-agent": "Freehold" };
  return { url, body, headers: { ...headers, ...signature.headers() } };
}

/** The signature travels before the body, so a long body is read once for it and once to be sent. */
async function sign(signature: WebhookSignature, body: ReadText): Promise<void> {
  if (!signature.wanted) return;
  if ("text" in body) return signature.update(body.text);
  for await (const piece of body.pieces()) {
    signature.update(piece);
    await new Promise((resolve) => setImmediate(resolve)); // others must not wait for all of it
  }
}

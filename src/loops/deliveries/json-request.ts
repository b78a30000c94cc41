// The request of a delivery whose body is short JSON, and its signature.

import { WebhookSignature } from "../../domain/webhook/signature.ts";
import type { WebhookRequest } from "./post.ts";

export const JSON_HEADERS = { "content-type": "application/json", "user-agent": "Freehold" };

export function jsonRequest(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): WebhookRequest {
  return { url, headers: { ...JSON_HEADERS, ...headers }, body: { text: JSON.stringify(body) } };
}

/** `now` is the instant of this try; without a secret the request is not signed. */
export function signedRequest(
  url: string,
  body: object,
  { message, secret }: { message: string; secret: string | null },
  now: number,
): WebhookRequest {
  const text = JSON.stringify(body);
  const signature = new WebhookSignature(message, now, secret);
  signature.update(text);
  return { url, headers: { ...JSON_HEADERS, ...signature.headers() }, body: { text } };
}

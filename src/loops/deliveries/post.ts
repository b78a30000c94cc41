// Sends one POST and reports its outcome. Redirects are not followed, only the status of the answer is
// used, and every failure is an outcome, not an exception.

import type { ClientRequest } from "node:http";
import https from "node:https";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import type { Resolve } from "../../base/name-servers.ts";
import { request as ask } from "../../base/node/http.ts";
import { bareHost } from "../../base/url-host.ts";
import type { ReachRule } from "../../domain/webhook/address.ts";
import { answerError, type TryOutcome } from "../../domain/webhook/next-try.ts";
import type { ReadText } from "../../flows/payload/read-text.ts";
import { lookupFor } from "./reach.ts";

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: ReadText;
}

export interface PostOptions {
  clock: Clock;
  /** For all of it, from the host's look-up to the answer. */
  timeoutMs: number;
  reach: ReachRule;
  resolve?: Resolve;
  /** Closes the connection; the try then fails. */
  signal: AbortSignal;
}

export async function post(
  webhookRequest: WebhookRequest,
  options: PostOptions,
): Promise<TryOutcome> {
  const { clock, timeoutMs, signal } = options;
  const connection = new AbortController();
  const close = () => connection.abort();
  let late = false;
  const cancel = clock.after(timeoutMs, () => {
    late = true;
    close();
  });
  if (signal.aborted) close();
  signal.addEventListener("abort", close);
  try {
    const status = await answerTo(webhookRequest, options, connection.signal);
    return { status, error: answerError(status) };
  } catch (error) {
    const sentence = late ? `no answer within ${timeoutMs / 1_000} s` : errorSentence(error);
    return { status: null, error: sentence };
  } finally {
    cancel();
    signal.removeEventListener("abort", close);
  }
}

/** How much of an answer is read before the connection is closed. */
const ANSWER_BYTES = 64 * 1_024;

function answerTo(
  { url, headers, body }: WebhookRequest,
  { reach, resolve: resolveName }: PostOptions,
  signal: AbortSignal,
): Promise<number> {
  const { protocol, hostname } = new URL(url);
  const lookup = lookupFor(bareHost(hostname), reach, resolveName);
  const bytes = "text" in body ? Buffer.byteLength(body.text) : body.bytes;
  return new Promise((resolve, reject) => {
    let status: number | null = null;
    // Once the status is known, an error of the connection does not matter.
    const end = (error: unknown) => (status === null ? reject(error) : resolve(status));
    const request = (protocol === "https:" ? https.request : ask)(url, {
      method: "POST",
      headers: { ...headers, "content-length": bytes },
      agent: false,
      lookup,
      signal,
    });
    request.on("error", end);
    request.once(
      "response",
      guarded("a webhook's receiver", (response) => {
        status = response.statusCode ?? 0;
        let read = 0;
        response.on("data", (chunk: Buffer) => {
          read += chunk.length;
          if (read > ANSWER_BYTES) request.destroy();
        });
        response.on("error", end);
        response.once("close", end);
      }),
    );
    send(body, request).catch(end);
  });
}

async function send(body: ReadText, request: ClientRequest): Promise<void> {
  if ("text" in body) request.end(body.text);
  else await pipeline(whole(body), request);
}

/** Yields the pieces; throws where they are fewer bytes than announced. */
async function* whole(body: Extract<ReadText, { bytes: number }>): AsyncIterable<Uint8Array> {
  let left = body.bytes;
  for await (const piece of body.pieces()) {
    left -= piece.length;
    yield piece;
  }
  if (left !== 0) throw new Error("the job changed while it was being sent");
}

const sentences: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before an answer came",
  EPIPE: "the connection was closed before an answer came",
  ENOTFOUND: "there is no such host",
  ENODATA: "there is no such host",
  EAI_AGAIN: "the host's name could not be looked up",
  ETIMEOUT: "the host's name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host's network cannot be reached",
};

function errorSentence(error: unknown): string {
  // A host with several addresses fails with an error for each.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const { code, message } = first as NodeJS.ErrnoException;
  return sentences[code ?? ""] ?? (message || code || "it could not be sent").slice(0, 300);
}

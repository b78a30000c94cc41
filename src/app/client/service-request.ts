// A request of the command line to the service. An error response becomes a Refusal with the
// service's sentence.

import { Refusal } from "../refusal.ts";
import type { Service } from "./running-service.ts";

/**
 * Sends `body` as JSON, if there is one, and returns the parsed response; undefined if it is empty.
 */
export async function ask(
  { origin, key }: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(origin + path, { method, headers, ...text }).catch((error) => {
    const { cause, message } = error as Error & { cause?: Error };
    throw new Refusal(`${origin} does not answer: ${cause?.message ?? message}`);
  });
  const answer = await response.text();
  if (!response.ok) throw new Refused(response.status, sentenceIn(answer) ?? response.statusText);
  return answer === "" ? undefined : JSON.parse(answer);
}

/** The service refused the request. */
class Refused extends Refusal {
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

function sentenceIn(answer: string): string | null {
  try {
    const { error } = JSON.parse(answer) as { error?: unknown };
    return typeof error === "string" ? error : null;
  } catch {
    return null;
  }
}

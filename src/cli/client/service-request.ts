// A request of the command line to the service. An error response becomes a Refusal with the
// service's sentence, and an exit code that tells what kind it is.

import { exitCodes, Refusal } from "../../base/refusal.ts";
import { parseExact } from "./exact-json.ts";
import type { RunningService } from "./running-service.ts";
import { readServiceClock } from "./service-clock.ts";

/**
 * Sends `body` as JSON, if there is one, and returns the parsed response; undefined if it is empty.
 */
export async function ask(
  service: RunningService,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await askForText(service, method, path, text);
  return answer === "" ? undefined : parseExact(answer);
}

/** Asks with a JSON text and resolves to one: no number loses a digit. */
export async function askForText(
  service: RunningService,
  method: string,
  path: string,
  body?: string,
): Promise<string> {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const response = await send(service, path, { method, headers, ...(body && { body }) });
  return response.text();
}

/** A response of success whose body was not read yet. */
export async function send(
  { origin, key }: RunningService,
  path: string,
  request: RequestInit,
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...request.headers };
  const response = await fetch(origin + path, { ...request, headers }).catch((error) => {
    if (request.signal?.aborted) throw error;
    const { cause, message } = error as Error & { cause?: Error };
    const sentence = `${origin} does not answer: ${cause?.message || message}`;
    throw new Refusal(sentence, exitCodes.unreachable);
  });
  readServiceClock(response.headers);
  if (response.ok) return response;
  const text = await response.text();
  const sentence =
    explanationIn(text) ??
    `${origin} answers ${response.status} ${response.statusText}; is it a Freehold?`;
  throw new Refused(response.status, sentence);
}

/** The service refused the request. */
export class Refused extends Refusal {
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence, exitCodeOf(status));
    this.status = status;
  }
}

/** The exit code of a command that ends with this refusal. */
export function exitCodeOf(status: number): number {
  if (status === 404) return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.denied;
  return exitCodes.refused;
}

interface RefusalBody {
  error?: unknown;
  /** REST v2 has the sentence here. */
  detail?: unknown;
  /** The machines that do not fit. */
  why?: { machineId: string; reason: string }[];
}

/** The sentence of a refusal, and a line for each machine that does not fit; null for any other text. */
function explanationIn(answer: string): string | null {
  try {
    const { error, detail = error, why = [] } = JSON.parse(answer) as RefusalBody;
    if (typeof detail !== "string") return null;
    return [detail, ...why.map(({ machineId, reason }) => `machine ${machineId}: ${reason}`)].join(
      "\n",
    );
  } catch {
    return null;
  }
}

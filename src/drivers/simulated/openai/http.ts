// OpenAI's interface on an HTTP port of a simulated Pod or of a worker without a queue.

import type { ServerResponse } from "node:http";
import { drained } from "../../../base/node/drained.ts";
import { answerOpenai } from "./answer.ts";
import { durationMs, type PaceClock, piecesAtRate } from "./pace.ts";
import type { OpenaiSettings } from "./settings.ts";

export interface OpenaiPage {
  readonly openai: OpenaiSettings | null;
  now(): number;
  ticks(): number;
  pause(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** The longest body of a request to one of its routes. */
export const MAX_BODY_CHARS = 32 * 1_048_576;

/** Whether the path is one of OpenAI's interface. */
export function isOpenaiPath(url: string): boolean {
  return url.startsWith("/v1/");
}

/** `id` is that of the answer. `signal` aborts when its connection closes. */
export async function respondOpenai(
  page: OpenaiPage,
  { url, body, id, signal }: { url: string; body: string; id: string; signal: AbortSignal },
  response: ServerResponse,
): Promise<void> {
  const settings = page.openai!;
  const route = url.replace(/\?.*$/s, "");
  const name = { id, createdAt: page.now() };
  const clock: PaceClock = {
    ticks: () => page.ticks(),
    pause: (delayMs) => page.pause(delayMs, signal),
  };
  const answer = answerOpenai(settings, { route, body: parsed(body) }, name);
  if (answer.kind === "stream") {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    for await (const piece of piecesAtRate(answer.events, settings.tokensPerSecond, clock)) {
      if (signal.aborted) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
    return;
  }
  const isObject = answer.kind === "object";
  if (isObject) await clock.pause(durationMs(answer.tokens, settings.tokensPerSecond));
  if (signal.aborted) return;
  response.writeHead(isObject ? 200 : answer.status, { "content-type": "application/json" });
  response.end(answer.text);
}

/** Null if it is not JSON, which no route that reads a body takes. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

// How what a job says reaches the server. A result is not dropped because the server restarts: posts
// that were refused, reset or answered with 5xx or 429 are tried again for minutes.

import type { Addresses } from "./addresses.ts";
import { Backoff } from "./backoff.ts";
import type { Http } from "./http.ts";
import type { Log } from "./log.ts";
import type { World } from "./world.ts";

/** What one job says, as JSON texts. The local test mode prints them instead of posting. */
export interface Delivery {
  progress(text: string): Promise<void>;
  /** Rejects where the chunk was refused or could not be brought to the server at all. */
  chunk(text: string): Promise<void>;
  done(text: string, isStream: boolean): Promise<void>;
}

/** How long a post is tried again after its first failure. */
const RETRY_FOR_MS = 300_000;
const POST_MS = 120_000;
/** Progress is only good while it is new. */
const PROGRESS_MS = 10_000;

export interface Route {
  world: World;
  http: Http;
  addresses: Addresses;
  log: Log;
}

/** Delivery over HTTP for one job. Once `hurry` aborts, nothing is waited for any more. */
export function deliverOver(
  route: Route,
  jobId: string,
  { stopped, hurry }: { stopped: AbortSignal; hurry: AbortSignal },
): Delivery {
  const { http, addresses } = route;
  return {
    async progress(body) {
      const address = addresses.done(jobId, false);
      const { status } = await http.call({ method: "POST", address, body, idleMs: PROGRESS_MS });
      if (status >= 300) throw new Error(`HTTP ${status}`);
    },
    async chunk(text) {
      if (!addresses.chunk) throw new Error("RUNPOD_WEBHOOK_POST_STREAM is not set: cannot stream");
      await postUntilTaken(route, addresses.chunk(jobId), text, stopped);
    },
    done: (text, isStream) => postUntilTaken(route, addresses.done(jobId, isStream), text, hurry),
  };
}

async function postUntilTaken(
  route: Route,
  address: string,
  body: string,
  hurry: AbortSignal,
): Promise<void> {
  const { world, http, log } = route;
  const backoff = new Backoff(world.random);
  let giveUpAt = Number.POSITIVE_INFINITY;
  for (;;) {
    const failure = await attempt(http, address, body);
    if (!failure) return;
    if (giveUpAt === Number.POSITIVE_INFINITY) {
      giveUpAt = world.now() + RETRY_FOR_MS;
      if (!failure.final) log.warn(`${failure.text}; trying again`);
    }
    if (failure.final || hurry.aborted || world.now() >= giveUpAt) throw new Error(failure.text);
    await world.sleep(backoff.next(), hurry);
  }
}

/** Null once the server took it. */
async function attempt(http: Http, address: string, body: string) {
  const path = new URL(address).pathname;
  try {
    const { status } = await http.call({ method: "POST", address, body, idleMs: POST_MS });
    if (status >= 200 && status < 300) return null;
    const final = status < 500 && status !== 429;
    return { final, text: `POST ${path} was answered HTTP ${status}` };
  } catch (error) {
    return { final: false, text: `POST ${path} failed: ${String(error)}` };
  }
}

// The delivery of a job's output to the server. A result survives a restart of the server: a post that
// fails to connect, or is answered with 5xx or 429, is retried for minutes.

import type { Environment } from "../environment.ts";
import type { Log } from "../log.ts";
import type { WorkerAddresses } from "./addresses.ts";
import { Backoff } from "./backoff.ts";
import type { Http } from "./http.ts";

/** Delivers the output of one job, as JSON texts. A test job prints them instead. */
export interface Delivery {
  progress(text: string): Promise<void>;
  /** Rejects if the chunk was refused or could not be delivered. */
  chunk(text: string): Promise<void>;
  done(text: string, isStream: boolean): Promise<void>;
}

/** How long a post is retried after its first failure. */
const RETRY_FOR_MS = 300_000;
const POST_MS = 120_000;
/** Progress is useful only while it is new. */
const PROGRESS_MS = 10_000;

export interface WorkerConnection {
  environment: Environment;
  http: Http;
  addresses: WorkerAddresses;
  log: Log;
}

/** Delivers one job's output over HTTP. Once `abort` aborts, posts are not retried. */
export function httpDelivery(
  connection: WorkerConnection,
  jobId: string,
  { stopped, abortJobs: abort }: { stopped: AbortSignal; abortJobs: AbortSignal },
): Delivery {
  const { http, addresses } = connection;
  return {
    async progress(body) {
      const address = addresses.done(jobId, false);
      const { status } = await http.call({ method: "POST", address, body, idleMs: PROGRESS_MS });
      if (status >= 300) throw new Error(`HTTP ${status}`);
    },
    async chunk(text) {
      if (!addresses.chunk) throw new Error("RUNPOD_WEBHOOK_POST_STREAM is not set: cannot stream");
      await postWithRetry(connection, addresses.chunk(jobId), text, stopped);
    },
    done: (text, isStream) =>
      postWithRetry(connection, addresses.done(jobId, isStream), text, abort),
  };
}

async function postWithRetry(
  connection: WorkerConnection,
  address: string,
  body: string,
  abort: AbortSignal,
): Promise<void> {
  const { environment, http, log } = connection;
  const backoff = new Backoff(environment.random);
  let giveUpAt = Number.POSITIVE_INFINITY;
  for (;;) {
    const failure = await attempt(http, address, body);
    if (!failure) return;
    if (giveUpAt === Number.POSITIVE_INFINITY) {
      giveUpAt = environment.now() + RETRY_FOR_MS;
      if (!failure.final) log.warn(`${failure.text}; trying again`);
    }
    if (failure.final || abort.aborted || environment.now() >= giveUpAt)
      throw new Error(failure.text);
    await environment.sleep(backoff.next(), abort);
  }
}

/** Null if the server accepted it. */
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

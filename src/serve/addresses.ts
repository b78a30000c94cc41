// The addresses a worker calls, made from the variables its platform injects. They are templates:
// `$ID` stands for the worker in the take address and for the job in the others, and the addresses
// of batches and of the stop channel are the take address with another word in its path.

import { randomUUID } from "node:crypto";
import type { World } from "./world.ts";

export interface Addresses {
  workerId: string;
  /** Takes one job, or up to `count` where the server can batch. */
  take(count: number, jobInProgress: boolean): string;
  /** Null where the take address does not say how to find it. */
  stop: string | null;
  done(jobId: string, isStream: boolean): string;
  /** Null where the platform set none, and so cannot stream. */
  chunk: ((jobId: string) => string) | null;
  ping: ((jobIds: string[]) => string) | null;
}

const TAKE = "/job-take/";

/** Throws with a sentence where the environment holds half of what a worker needs. */
export function readAddresses(env: World["env"]): Addresses {
  const workerId = env.RUNPOD_POD_ID || randomUUID();
  const read = (name: string) => template(env, name, workerId);
  const take = read("RUNPOD_WEBHOOK_GET_JOB")?.replaceAll("$ID", () => workerId);
  const done = read("RUNPOD_WEBHOOK_POST_OUTPUT");
  const chunk = read("RUNPOD_WEBHOOK_POST_STREAM");
  const ping = read("RUNPOD_WEBHOOK_PING");
  if (!take || !done) {
    throw new Error("RUNPOD_WEBHOOK_GET_JOB and RUNPOD_WEBHOOK_POST_OUTPUT must both be set");
  }
  const batches = take.includes(TAKE);
  return {
    workerId,
    take(count, jobInProgress) {
      const held = { job_in_progress: jobInProgress ? "1" : "0" };
      if (count < 2 || !batches) return withQuery(take, held);
      const batch = take.replace(TAKE, "/job-take-batch/");
      return withQuery(batch, { batch_size: String(count), ...held });
    },
    stop: batches ? take.replace(TAKE, "/job-stop/") : null,
    done: (jobId, isStream) => withQuery(forJob(done, jobId), { isStream: String(isStream) }),
    chunk: chunk ? (jobId) => withQuery(forJob(chunk, jobId), { isStream: "false" }) : null,
    ping: ping
      ? (jobIds) => (jobIds.length > 0 ? withQuery(ping, { job_id: jobIds.join(",") }) : ping)
      : null,
  };
}

function template(env: World["env"], name: string, workerId: string): string | null {
  const value = env[name]?.replaceAll("$RUNPOD_POD_ID", () => workerId);
  if (!value) return null;
  if (!URL.canParse(value)) throw new Error(`${name} is not a URL`);
  return value;
}

function forJob(address: string, jobId: string): string {
  return address.replaceAll("$ID", () => encodeURIComponent(jobId));
}

/** The address may hold a query already, which may carry routing or credentials: it is kept. */
function withQuery(address: string, query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  const glue = /[?&]$/.test(address) ? "" : address.includes("?") ? "&" : "?";
  return address + glue + pairs.join("&");
}

// The addresses that a worker calls, from the variables that its platform injects. They are
// templates: `$ID` is the worker in the take address and the job in the others. The batch and stop
// addresses are the take address with another word in its path.

import { randomUUID } from "node:crypto";
import type { Environment } from "../environment.ts";

export interface WorkerAddresses {
  workerId: string;
  /** Takes one job, or up to `count` if the server supports batches. */
  take(count: number, jobInProgress: boolean): string;
  /** Null if it cannot be derived from the take address. */
  stop: string | null;
  done(jobId: string, isStream: boolean): string;
  /** Null if the platform sets none and so does not support streams. */
  chunk: ((jobId: string) => string) | null;
  ping: ((jobIds: string[]) => string) | null;
}

const TAKE = "/job-take/";

/** Throws if the environment is incomplete. */
export function readAddresses(env: Environment["env"]): WorkerAddresses {
  const workerId = env.RUNPOD_POD_ID || randomUUID();
  const read = (name: string) => template(env, name, workerId);
  const take = read("RUNPOD_WEBHOOK_GET_JOB")?.replaceAll("$ID", () => workerId);
  const done = read("RUNPOD_WEBHOOK_POST_OUTPUT");
  const chunk = read("RUNPOD_WEBHOOK_POST_STREAM");
  const ping = read("RUNPOD_WEBHOOK_PING");
  if (!take || !done) {
    throw new Error("RUNPOD_WEBHOOK_GET_JOB and RUNPOD_WEBHOOK_POST_OUTPUT must both be set");
  }
  const canBatch = take.includes(TAKE);
  return {
    workerId,
    take(count, jobInProgress) {
      const progress = { job_in_progress: jobInProgress ? "1" : "0" };
      if (count < 2 || !canBatch) return withQuery(take, progress);
      const batch = take.replace(TAKE, "/job-take-batch/");
      return withQuery(batch, { batch_size: String(count), ...progress });
    },
    stop: canBatch ? take.replace(TAKE, "/job-stop/") : null,
    done: (jobId, isStream) => withQuery(forJob(done, jobId), { isStream: String(isStream) }),
    chunk: chunk ? (jobId) => withQuery(forJob(chunk, jobId), { isStream: "false" }) : null,
    ping: ping
      ? (jobIds) => (jobIds.length > 0 ? withQuery(ping, { job_id: jobIds.join(",") }) : ping)
      : null,
  };
}

function template(env: Environment["env"], name: string, workerId: string): string | null {
  const value = env[name]?.replaceAll("$RUNPOD_POD_ID", () => workerId);
  if (!value) return null;
  if (!URL.canParse(value)) throw new Error(`${name} is not a URL`);
  return value;
}

function forJob(address: string, jobId: string): string {
  return address.replaceAll("$ID", () => encodeURIComponent(jobId));
}

/** Keeps a query of the address, which may contain routing or credentials. */
function withQuery(address: string, query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  const separator = /[?&]$/.test(address) ? "" : address.includes("?") ? "&" : "?";
  return address + separator + pairs.join("&");
}

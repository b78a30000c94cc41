// Posts of a simulated worker.

import { type JobAnswer, resultOf, type TakenJob } from "./job-result.ts";
import type { WorkerRoutes } from "./routes.ts";
import type { WorkerRuntime } from "./runtime.ts";

/** A job that a worker runs. */
export interface JobRun {
  runtime: WorkerRuntime;
  routes: WorkerRoutes;
  job: TakenJob;
  /** Aborts once the job is stopped. */
  stopped: AbortSignal;
}

/** The pauses before the second and the third attempt of a post, as in the common worker library. */
const RETRY_MS = [2000, 3000];

/** Posts as the common worker library does: retried after a server error, dropped after any other failure. */
export async function post(runtime: WorkerRuntime, url: string, body: string): Promise<void> {
  for (const retryMs of [...RETRY_MS, null]) {
    await runtime.untilNotSilent();
    const reply = await runtime.post(url, body);
    if (runtime.hasEnded || (reply && reply.status < 300)) return;
    runtime.log(reply ? `a post was answered ${reply.status}` : "a post was not answered");
    if (!reply || reply.status < 500 || retryMs === null) return;
    await runtime.pause(retryMs);
  }
}

/** `answer` is what the worker answers in place of what its behavior and its rule say. */
export async function postResult(
  { runtime, routes, job }: JobRun,
  { isStream, answer = null }: { isStream: boolean; answer?: JobAnswer | null },
): Promise<void> {
  const { behavior, rule, observation } = runtime;
  const result = resultOf(observation.id, job, { behavior, rule, answer });
  if (!result) return runtime.log(`never posts the result of job ${job.id}`);
  for (let left = behavior.postTwice ? 2 : 1; left > 0; left--) {
    await post(runtime, routes.done(result.jobId, isStream), result.body);
  }
}

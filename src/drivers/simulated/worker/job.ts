// One job of a simulated worker, from the take to the last post.

import type { Behavior } from "../rules/behavior.ts";
import { resultOf, type TakenJob } from "./job-result.ts";
import type { WorkerRoutes } from "./routes.ts";
import type { WorkerRuntime } from "./runtime.ts";

/** The pauses before the second and the third attempt of a post, as in the common worker library. */
const RETRY_MS = [2000, 3000];

/** Resolves to false if the job was stopped; then nothing more is posted. */
export async function runJob(
  runtime: WorkerRuntime,
  routes: WorkerRoutes,
  job: TakenJob,
  stopped: AbortSignal,
): Promise<boolean> {
  const { behavior } = runtime;
  const { jobMs, stream, progress, crashDuring } = behavior;
  if (job.number === crashDuring) {
    await runtime.pause(Math.floor(jobMs / 2), stopped);
    if (!stopped.aborted) runtime.end(behavior.exitCode, null);
    return false;
  }
  const steps = progress + stream;
  const stepMs = Math.floor(jobMs / (steps + 1));
  for (let step = 1; step <= steps; step++) {
    await runtime.pause(stepMs, stopped);
    if (stopped.aborted) return false;
    await postStep(runtime, routes, job, step, behavior);
  }
  await runtime.pause(jobMs - stepMs * steps, stopped);
  await runtime.untilNotSilent();
  if (stopped.aborted || runtime.hasEnded) return false;
  await postResult(runtime, routes, job, behavior);
  return true;
}

/** Progress comes first, then the chunks of the stream. */
function postStep(
  runtime: WorkerRuntime,
  routes: WorkerRoutes,
  job: TakenJob,
  step: number,
  { progress, stream, echo }: Behavior,
): Promise<void> {
  if (step <= progress) {
    const body = { status: "IN_PROGRESS", output: { step, of: progress } };
    return post(runtime, routes.done(job.id, false), JSON.stringify(body));
  }
  const output = echo ? job.input : JSON.stringify({ chunk: step - progress, of: stream });
  return post(runtime, routes.stream(job.id), `{"output":${output}}`);
}

async function postResult(
  runtime: WorkerRuntime,
  routes: WorkerRoutes,
  job: TakenJob,
  behavior: Behavior,
): Promise<void> {
  const result = resultOf(runtime.observation.id, job, behavior, runtime.rule);
  if (!result) return runtime.log(`never posts the result of job ${job.id}`);
  for (let left = behavior.postTwice ? 2 : 1; left > 0; left--) {
    await post(runtime, routes.done(result.jobId, behavior.stream > 0), result.body);
  }
}

/** As in the common worker library: retried after a server error, dropped after any other failure. */
async function post(runtime: WorkerRuntime, url: string, body: string): Promise<void> {
  for (const retryMs of [...RETRY_MS, null]) {
    await runtime.untilNotSilent();
    const reply = await runtime.post(url, body);
    if (runtime.hasEnded || (reply && reply.status < 300)) return;
    runtime.log(reply ? `a post was answered ${reply.status}` : "a post was not answered");
    if (!reply || reply.status < 500 || retryMs === null) return;
    await runtime.pause(retryMs);
  }
}

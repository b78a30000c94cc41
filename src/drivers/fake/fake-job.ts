// One job in the hands of a fake worker, from the taking to the last post.
import type { Behaviour } from "./behaviour.ts";
import { resultOf, type TakenJob } from "./job-result.ts";
import type { Life } from "./life.ts";
import type { WorkerRoutes } from "./worker-routes.ts";

/** What the common worker library waits before its second and its third try of a post. */
const RETRY_MS = [2000, 3000];

/** False if it was stopped on the way; then nothing more is posted. */
export async function doJob(
  life: Life,
  routes: WorkerRoutes,
  job: TakenJob,
  stopped: AbortSignal,
): Promise<boolean> {
  const { behaviour } = life;
  const { jobMs, stream, progress, crashDuring } = behaviour;
  if (job.number === crashDuring) {
    await life.pause(Math.floor(jobMs / 2), stopped);
    if (!stopped.aborted) life.end(behaviour.exitCode, null);
    return false;
  }
  const steps = progress + stream;
  const stepMs = Math.floor(jobMs / (steps + 1));
  for (let step = 1; step <= steps; step++) {
    await life.pause(stepMs, stopped);
    if (stopped.aborted) return false;
    await postStep(life, routes, job, step, behaviour);
  }
  await life.pause(jobMs - stepMs * steps, stopped);
  await life.audible();
  if (stopped.aborted || life.over) return false;
  await postResult(life, routes, job, behaviour);
  return true;
}

/** Progress comes first, then the chunks of the stream. */
function postStep(
  life: Life,
  routes: WorkerRoutes,
  job: TakenJob,
  step: number,
  { progress, stream, echo }: Behaviour,
): Promise<void> {
  if (step <= progress) {
    const body = { status: "IN_PROGRESS", output: { step, of: progress } };
    return post(life, routes.done(job.id, false), JSON.stringify(body));
  }
  const output = echo ? job.input : { chunk: step - progress, of: stream };
  return post(life, routes.stream(job.id), JSON.stringify({ output }));
}

async function postResult(
  life: Life,
  routes: WorkerRoutes,
  job: TakenJob,
  behaviour: Behaviour,
): Promise<void> {
  const result = resultOf(life.sighting.id, job, behaviour);
  if (!result) return life.say(`never posts the result of job ${job.id}`);
  for (let left = behaviour.postTwice ? 2 : 1; left > 0; left--) {
    await post(life, routes.done(result.jobId, behaviour.stream > 0), result.body);
  }
}

/** As the common library does: tried again after a server's error, lost after anything else. */
async function post(life: Life, url: string, body: string): Promise<void> {
  for (const retryMs of [...RETRY_MS, null]) {
    await life.audible();
    const reply = await life.post(url, body);
    if (life.over || (reply && reply.status < 300)) return;
    life.say(reply ? `a post was answered ${reply.status}` : "a post was not answered");
    if (!reply || reply.status < 500 || retryMs === null) return;
    await life.pause(retryMs);
  }
}

// One job of a simulated worker, from the take to the last post.

import type { Behavior } from "../rules/behavior.ts";
import { answerJob, openaiAnswer } from "./openai-job.ts";
import { type JobRun, post, postResult } from "./post.ts";

/** Resolves to false if the job was stopped; then nothing more is posted. */
export async function runJob(run: JobRun): Promise<boolean> {
  const { runtime, job, stopped } = run;
  const { behavior } = runtime;
  const { jobMs, stream, progress, crashDuring } = behavior;
  if (job.number === crashDuring) {
    await runtime.pause(Math.floor(jobMs / 2), stopped);
    if (!stopped.aborted) runtime.end(behavior.exitCode, null);
    return false;
  }
  const answer = openaiAnswer(runtime, job);
  if (answer) return answerJob(run, answer);
  const steps = progress + stream;
  const stepMs = Math.floor(jobMs / (steps + 1));
  for (let step = 1; step <= steps; step++) {
    await runtime.pause(stepMs, stopped);
    if (stopped.aborted) return false;
    await postStep(run, step, behavior);
  }
  await runtime.pause(jobMs - stepMs * steps, stopped);
  await runtime.untilNotSilent();
  if (stopped.aborted || runtime.hasEnded) return false;
  await postResult(run, { isStream: stream > 0 });
  return true;
}

/** Progress comes first, then the chunks of the stream. */
function postStep(
  { runtime, routes, job }: JobRun,
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

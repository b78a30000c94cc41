// What a fake worker posts for a job: a result, an error, or something that no worker should post.
import type { Behaviour, Malformed } from "./behaviour.ts";

export interface TakenJob {
  id: string;
  input: unknown;
  /** The how manieth job of this worker, from 1. */
  number: number;
}

export interface Result {
  /** Where it is posted; usually the job's own id. */
  jobId: string;
  body: string;
}

function isNth(number: number, every: number): boolean {
  return every > 0 && number % every === 0;
}

function outputOf(workerId: string, job: TakenJob, behaviour: Behaviour): unknown {
  return behaviour.echo ? job.input : { worker: workerId, job: job.number };
}

/** Null if this result is one that is never posted. */
export function resultOf(workerId: string, job: TakenJob, behaviour: Behaviour): Result | null {
  if (isNth(job.number, behaviour.loseEvery)) return null;
  const output = behaviour.stream > 0 ? [] : outputOf(workerId, job, behaviour);
  if (isNth(job.number, behaviour.malformedEvery)) {
    return malformed(behaviour.malformedAs, job.id, output);
  }
  if (isNth(job.number, behaviour.failEvery)) {
    const error = { error_type: "FakeFailure", error_message: `job ${job.number} was to fail` };
    return { jobId: job.id, body: JSON.stringify({ error: JSON.stringify(error) }) };
  }
  const refresh = isNth(job.number, behaviour.refreshEvery) ? { stopPod: true } : {};
  return { jobId: job.id, body: JSON.stringify({ output, ...refresh }) };
}

function malformed(as: Malformed, jobId: string, output: unknown): Result {
  const bodies: Record<Malformed, string> = {
    text: "Segmentation fault",
    null: "null",
    empty: "{}",
    bare: JSON.stringify(output) ?? "null",
    nan: '{"output": {"score": NaN, "bound": -Infinity}}',
    "wrong-job": JSON.stringify({ output }),
  };
  return { jobId: as === "wrong-job" ? `${jobId}-of-nobody` : jobId, body: bodies[as] };
}

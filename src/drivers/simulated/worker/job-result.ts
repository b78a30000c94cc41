// The result that a simulated worker posts for a job: an output, an error, or a malformed body.

import { createHash } from "node:crypto";
import type { Behavior, Malformed } from "../rules/behavior.ts";
import type { ImageRule } from "../rules/image-rules.ts";

export interface TakenJob {
  id: string;
  /** Its JSON text. */
  input: string;
  /** The job's number among this worker's jobs, from 1. */
  number: number;
}

/** The JSON text of an output, or the sentence of an error. */
export type JobAnswer = { output: string } | { error: string };

/** What a result depends on, beside the job. */
export interface ResultSource {
  behavior: Behavior;
  rule: ImageRule | null;
  /** Null for what the behavior and the rule say. */
  answer: JobAnswer | null;
}

export interface SimulatedResult {
  /** The id that it is posted for; not the job's own for a misdirected result. */
  jobId: string;
  body: string;
}

function isNth(number: number, every: number): boolean {
  return every > 0 && number % every === 0;
}

/** The JSON text of the output. */
function outputOf(workerId: string, job: TakenJob, behavior: Behavior): string {
  return behavior.echo ? job.input : JSON.stringify({ worker: workerId, job: job.number });
}

/** Decided by the job's id, so that a repeated attempt has the same outcome. */
function isUnlucky(jobId: string, failureRate: number): boolean {
  return createHash("sha256").update(jobId).digest().readUInt32BE() / 2 ** 32 < failureRate;
}

/** Whether the job's result is an error, whatever its answer would be. */
export function isSetToFail(job: TakenJob, behavior: Behavior, rule: ImageRule | null): boolean {
  return isNth(job.number, behavior.failEvery) || isUnlucky(job.id, rule?.failureRate ?? 0);
}

/** Null if the result is not to be posted. */
export function resultOf(
  workerId: string,
  job: TakenJob,
  { behavior, rule, answer }: ResultSource,
): SimulatedResult | null {
  if (isNth(job.number, behavior.loseEvery)) return null;
  const output =
    answer && "output" in answer ? answer.output : usualOutput(workerId, job, behavior, rule);
  if (isNth(job.number, behavior.malformedEvery)) {
    return malformed(behavior.malformedAs, job.id, output);
  }
  if (isSetToFail(job, behavior, rule)) {
    const error = {
      error_type: "SimulatedFailure",
      error_message: `job ${job.number} was configured to fail`,
    };
    return { jobId: job.id, body: JSON.stringify({ error: JSON.stringify(error) }) };
  }
  if (answer && "error" in answer) return { jobId: job.id, body: JSON.stringify(answer) };
  if (!answer && rule?.answers) return { jobId: job.id, body: rule.answers.take(job.input) };
  const refresh = isNth(job.number, behavior.refreshEvery) ? `,"stopPod":true` : "";
  return { jobId: job.id, body: `{"output":${output}${refresh}}` };
}

function usualOutput(
  workerId: string,
  job: TakenJob,
  behavior: Behavior,
  rule: ImageRule | null,
): string {
  if (behavior.stream > 0) return "[]";
  return rule?.output ?? outputOf(workerId, job, behavior);
}

function malformed(as: Malformed, jobId: string, output: string): SimulatedResult {
  const bodies: Record<Malformed, string> = {
    text: "Segmentation fault",
    null: "null",
    empty: "{}",
    bare: output,
    nan: '{"output": {"score": NaN, "bound": -Infinity}}',
    "wrong-job": `{"output":${output}}`,
  };
  return { jobId: as === "wrong-job" ? `${jobId}-of-nobody` : jobId, body: bodies[as] };
}

// A job as clients read it. It is put together by hand because its output is sent as it was received:
// absent fields are left out, never null, and every number is whole.

import type { Clock } from "../../base/clock.ts";
import { errorOf, isEndedJob, type Job, outputText } from "../../domain/job/job.ts";
import { visibleState } from "../../domain/job/moves.ts";
import type { Store } from "../../store/engine/store.ts";
import { joinTexts } from "../payload/join-text.ts";
import { type ReadText, readText } from "../payload/read-text.ts";

export function jobText(job: Job, output: ReadText | null, now: number): ReadText {
  return joinTexts(...membersText(job, output, now), "}");
}

/** The text without its closing brace, so that a webhook can add members of its own. */
export function membersText(job: Job, output: ReadText | null, now: number): (string | ReadText)[] {
  const members = [`"id":${JSON.stringify(job.id)}`, `"status":"${visibleState(job.state)}"`];
  if (job.takenAt !== null) {
    members.push(`"delayTime":${Math.max(0, job.takenAt - job.queuedAt)}`);
    const end = isEndedJob(job) ? job.finishedAt : output ? now : null;
    if (end !== null) members.push(`"executionTime":${Math.max(0, end - job.takenAt)}`);
  }
  if (job.workerId !== null) members.push(`"workerId":${JSON.stringify(job.workerId)}`);
  if (job.retries > 0) members.push(`"retries":${job.retries}`);
  const error = errorOf(job);
  if (error !== null) members.push(`"error":${JSON.stringify(error)}`);
  const head = `{${members.join(",")}`;
  if (!output || ("text" in output && output.text === "null")) return [head];
  return [`${head},"output":`, output];
}

/** Reads what the job's worker reported: its result, or its progress. */
export async function readOutput(store: Store, job: Job): Promise<ReadText | null> {
  const stored = outputText(job);
  return stored && readText(store, stored, job.id);
}

/** A job as clients read it now, with its output. */
export async function readJobText(
  { store, clock }: { store: Store; clock: Clock },
  job: Job,
): Promise<ReadText> {
  const output = await readOutput(store, job);
  return jobText(job, output, clock.now());
}

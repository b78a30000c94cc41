// A job as clients read it. Written by hand, because its output goes out as it came in: fields that
// are not there are left out, never null, and every number is whole.

import { isTerminal } from "../../domain/job/moves.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { joined } from "../payload/join-text.ts";
import { type ReadText, readText } from "../payload/read-text.ts";

export function jobText(job: JobRow, output: ReadText | null, now: number): ReadText {
  return joined(...membersText(job, output, now), "}");
}

/** The same without the closing brace, so that a webhook can add what it alone carries. */
export function membersText(
  job: JobRow,
  output: ReadText | null,
  now: number,
): (string | ReadText)[] {
  const members = [`"id":${JSON.stringify(job.id)}`, `"status":"${job.state}"`];
  const ended = isTerminal(job.state);
  if (job.taken_at !== null) {
    members.push(`"delayTime":${Math.max(0, job.taken_at - job.queued_at)}`);
    const end = ended ? job.finished_at! : output ? now : null;
    if (end !== null) members.push(`"executionTime":${Math.max(0, end - job.taken_at)}`);
  }
  if (job.worker_id !== null) members.push(`"workerId":${JSON.stringify(job.worker_id)}`);
  if (job.retries > 0) members.push(`"retries":${job.retries}`);
  if (ended && job.error !== null) members.push(`"error":${JSON.stringify(job.error)}`);
  const head = `{${members.join(",")}`;
  if (!output || ("text" in output && output.text === "null")) return [head];
  return [`${head},"output":`, output];
}

export async function outputOf(store: Store, job: JobRow): Promise<ReadText | null> {
  return readText(store, { inline: job.output, payload: job.output_payload }, job.id);
}

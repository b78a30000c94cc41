// A job as clients read it. Written by hand, because its output goes out as it came in: fields that
// are not there are left out, never null, and every number is whole.

import { Readable } from "node:stream";
import { isTerminal } from "../../domain/job/moves.ts";
import type { ReadText } from "../../flows/payload/read-text.ts";
import type { JobRow } from "../../store/job/row.ts";

/** A text ready to be sent: at once, or in pieces with its length known. */
export type Sendable = string | { bytes: number; stream: Readable };

/** `more` holds further members as JSON text, such as a webhook's `"input":...`. */
export function jobText(
  job: JobRow,
  output: ReadText | null,
  now: number,
  more: string[] = [],
): Sendable {
  const members = [`"id":${JSON.stringify(job.id)}`, `"status":"${job.state}"`, ...more];
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
  if (!output || ("text" in output && output.text === "null")) return `${head}}`;
  return around(`${head},"output":`, output, "}");
}

/** Puts text before and after another that may be long. */
export function around(before: string, text: ReadText, after: string): Sendable {
  if ("text" in text) return before + text.text + after;
  async function* pieces() {
    yield Buffer.from(before);
    if ("pieces" in text) yield* text.pieces();
    yield Buffer.from(after);
  }
  const bytes = Buffer.byteLength(before) + text.bytes + Buffer.byteLength(after);
  return { bytes, stream: Readable.from(pieces()) };
}

// How an OpenAI-style request and its answer are spelled as a job's input and output.

import type { Scanned } from "../../base/json/outline.ts";
import type { JobRow } from "../../store/job/row.ts";

/** The input that worker images for language models expect. */
export function openaiInput(path: string, body: Buffer | null): Buffer {
  const route = `{"openai_route":${JSON.stringify(path)}`;
  if (!body) return Buffer.from(`${route}}`);
  return Buffer.concat([Buffer.from(`${route},"openai_input":`), body, Buffer.from("}")]);
}

export function wantsStream(body: Scanned | null): boolean {
  return body?.members.get("stream")?.kind === "true";
}

/** A worker that aggregates answers a list of one. */
export function unwrapped(output: string): string {
  if (!output.startsWith("[")) return output;
  const value: unknown = JSON.parse(output);
  return Array.isArray(value) && value.length === 1 ? JSON.stringify(value[0]) : output;
}

/** The error object that OpenAI clients read. */
export function openaiFault(job: JobRow): { status: number; text: string } {
  const timedOut = job.state === "TIMED_OUT" || job.state === "CANCELLED";
  const error = {
    message: job.error ?? `the job ended ${job.state}`,
    type: timedOut ? "timeout" : "server_error",
    code: job.state.toLowerCase(),
  };
  return { status: timedOut ? 408 : 500, text: JSON.stringify({ error }) };
}

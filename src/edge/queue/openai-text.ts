// Converts OpenAI-style requests and answers to a job's input and from its output.

import type { Scanned } from "../../base/json/outline.ts";
import type { Fault } from "../../domain/fault.ts";
import { errorOf, type Job } from "../../domain/job/job.ts";
import { faultBody } from "../http/faults.ts";

/** The job input that worker images for language models expect. */
export function openaiInput(path: string, body: Buffer | null): Buffer {
  const route = `{"openai_route":${JSON.stringify(path)}`;
  if (!body) return Buffer.from(`${route}}`);
  return Buffer.concat([Buffer.from(`${route},"openai_input":`), body, Buffer.from("}")]);
}

export function wantsStream(body: Scanned | null): boolean {
  return body?.members.get("stream")?.kind === "true";
}

/** The first yield in a stream's chunks, joined where it was split; null if it is incomplete. */
export function firstWhole(chunks: { output: string; metrics: string | null }[]): string | null {
  let text = "";
  for (const { output, metrics } of chunks) {
    const { part, of } = JSON.parse(metrics ?? "{}") as { part?: number; of?: number };
    if (part === undefined || of === undefined) return output;
    text += JSON.parse(output) as string;
    if (part === of) return text;
  }
  return null;
}

/** The HTTP status and the error object that OpenAI clients read. */
export function openaiFault(job: Job): { status: number; text: string } {
  const timedOut = job.state === "TIMED_OUT" || job.state === "CANCELLED";
  const error = {
    message: errorOf(job) ?? `the job ended ${job.state}`,
    type: timedOut ? "timeout" : "server_error",
    code: job.state.toLowerCase(),
  };
  return { status: timedOut ? 408 : 500, text: JSON.stringify({ error }) };
}

/** A refusal with the error object of OpenAI's clients, which show the sentence of no other form. */
export function openaiRefusal(fault: Fault): object {
  const { message, status, code } = fault;
  const type =
    status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error";
  return { ...faultBody(fault), error: { message, type, param: null, code } };
}

// Sends a job's text: JSON with status 200, a long one as a stream.

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Job } from "../../domain/job/job.ts";
import type { FlowDeps } from "../../flows/flow-deps.ts";
import { readJobText } from "../../flows/job/job-text.ts";
import type { ReadText } from "../../flows/payload/read-text.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export function send(reply: FastifyReply, text: string | ReadText): FastifyReply {
  reply.header("content-type", JSON_TYPE);
  if (typeof text === "string") return reply.send(text);
  if ("text" in text) return reply.send(text.text);
  return reply.header("content-length", text.bytes).send(Readable.from(text.pieces()));
}

export async function sendJob(
  deps: Pick<FlowDeps, "store" | "clock">,
  reply: FastifyReply,
  job: Job,
): Promise<FastifyReply> {
  return send(reply, await readJobText(deps, job));
}

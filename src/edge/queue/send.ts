// Sends a job's text: JSON, exactly 200, long ones as a stream.

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { jobText, outputOf } from "../../flows/job/job-text.ts";
import type { ReadText } from "../../flows/payload/read-text.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export function send(reply: FastifyReply, text: string | ReadText): FastifyReply {
  reply.header("content-type", JSON_TYPE);
  if (typeof text === "string") return reply.send(text);
  if ("text" in text) return reply.send(text.text);
  return reply.header("content-length", text.bytes).send(Readable.from(text.pieces()));
}

export async function sendJob(
  store: Store,
  reply: FastifyReply,
  job: JobRow,
  now: number,
): Promise<FastifyReply> {
  return send(reply, jobText(job, await outputOf(store, job), now));
}

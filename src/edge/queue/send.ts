// Sends a job's text: JSON, exactly 200, long ones as a stream.

import type { FastifyReply } from "fastify";
import { readText } from "../../flows/payload/read-text.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { jobText, type Sendable } from "./job-text.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export function send(reply: FastifyReply, text: Sendable): FastifyReply {
  reply.header("content-type", JSON_TYPE);
  if (typeof text === "string") return reply.send(text);
  return reply.header("content-length", text.bytes).send(text.stream);
}

export async function sendJob(
  store: Store,
  reply: FastifyReply,
  job: JobRow,
  now: number,
): Promise<FastifyReply> {
  const output =
    job.output_payload === null
      ? job.output === null
        ? null
        : { text: job.output }
      : await readText(store, { inline: null, payload: job.output_payload });
  return send(reply, jobText(job, output, now));
}

// Sends a job's text: JSON with status 200, a long one as a stream.

import { Readable } from "node:stream";
import type { Job } from "../../../domain/job/job.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { readJobText } from "../../../flows/job/job-text.ts";
import type { ReadText } from "../../../flows/payload/read-text.ts";
import { JSON_TYPE } from "../../http/json-headers.ts";
import type { RouteReply } from "../../http/request/route.ts";

export function send<Reply extends RouteReply>(reply: Reply, text: string | ReadText): Reply {
  reply.header("content-type", JSON_TYPE);
  if (typeof text === "string") reply.send(text);
  else if ("text" in text) reply.send(text.text);
  else reply.header("content-length", text.bytes).send(Readable.from(text.pieces()));
  return reply;
}

export async function sendJob<Reply extends RouteReply>(
  deps: Pick<FlowDeps, "store" | "clock">,
  reply: Reply,
  job: Job,
): Promise<Reply> {
  return send(reply, await readJobText(deps, job));
}

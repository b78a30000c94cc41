// Routes of /v1/jobs/<job>/logs.

import type { FastifyInstance, FastifyReply } from "fastify";
import {
  type JobLogLine,
  type JobLogQuery,
  jobLogOperations,
} from "../../../contract/rest-v1/job/job-logs.ts";
import type { Job } from "../../../domain/job/job.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { findOwn } from "../../../flows/job/find-own.ts";
import { followJobLog, type JobLogPart, readJobLog } from "../../../flows/log/job-log.ts";
import { sendEvents } from "../../http/event-stream.ts";
import type { StreamDeps } from "../../management/deps.ts";
import { sinceIn } from "../../management/observe/log.ts";
import { LOG_END, readLastEvent, streamSignal } from "../../management/observe/stream.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { requireEndpointAccess } from "./jobs.ts";

const DEFAULT_TAIL = 100;

export function jobLogRoutes(app: FastifyInstance, deps: FlowDeps & StreamDeps): void {
  serveOperations(app, jobLogOperations, {
    async jobLogs({ accountId, key, params, query, reply }) {
      const job = await findOwn(deps, accountId, params.jobId);
      requireEndpointAccess(key, job.endpointId);
      return sendJobLog(deps, job, query, reply);
    },
  });
}

async function sendJobLog(
  deps: FlowDeps & StreamDeps,
  job: Job,
  { tail = DEFAULT_TAIL, since, follow }: JobLogQuery,
  reply: FastifyReply,
): Promise<JobLogLine[] | FastifyReply> {
  const { clock } = deps;
  const request = { tail, since: sinceIn(since, clock.now()) };
  if (!follow) return linesOf(await readJobLog(deps, job, request)).map(({ line }) => line);
  const from = readLastEvent(reply, lineNumberIn);
  const signal = streamSignal(deps, reply);
  const parts = followJobLog(deps, job, { ...request, from }, signal);
  return sendEvents(reply, events(parts, signal), { clock, signal });
}

const lineNumberIn = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : null);

async function* events(
  parts: AsyncIterable<JobLogPart>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const part of parts) {
    yield linesOf(part)
      .map(({ n, line }) => `id: ${n}\ndata: ${JSON.stringify(line)}\n\n`)
      .join("");
  }
  // If the service stops, there is no end event and the reader reconnects.
  if (!signal.aborted) yield LOG_END;
}

function linesOf({ lost, lines }: JobLogPart): { n: number; line: JobLogLine }[] {
  const shown = lines.map(({ n, at, text, level, workerId }) => ({
    n,
    line: {
      at: instant(at),
      type: "container" as const,
      text,
      ...(level !== null && { level }),
      workerId,
    },
  }));
  if (lost === 0) return shown;
  const count = lost === 1 ? "1 earlier line is" : `${lost} earlier lines are`;
  const text = `${count} not available: the log of a job has its newest 2,000 lines and at most 262,144 characters.`;
  return [{ n: (lines[0]?.n ?? 1) - 1, line: { at: null, type: "system", text, lost } }, ...shown];
}

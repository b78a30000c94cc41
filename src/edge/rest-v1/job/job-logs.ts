// Routes of /v1/jobs/<job>/logs.

import type { FastifyInstance, FastifyReply } from "fastify";
import {
  type JobLogLine,
  type JobLogQuery,
  jobLogOperations,
} from "../../../contract/rest-v1/job/job-logs.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Job } from "../../../domain/job/job.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { findOwn } from "../../../flows/job/find-own.ts";
import { followJobLog, type JobLogPart, readJobLog } from "../../../flows/log/job-log.ts";
import { sendEvents } from "../../http/event-stream.ts";
import type { StreamDeps } from "../../management/deps.ts";
import { sinceIn } from "../../management/observe/log.ts";
import { instant } from "../../management/serve/instant.ts";
import { serve } from "../../management/serve/serve.ts";
import { requireEndpointAccess } from "./jobs.ts";

const DEFAULT_TAIL = 100;

export function jobLogRoutes(app: FastifyInstance, deps: FlowDeps & StreamDeps): void {
  serve(app, jobLogOperations, {
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
  const from = lastEvent(reply);
  const poll = deps.polls.hold(reply);
  const signal = AbortSignal.any([poll, deps.revalidation.signalFor(reply)]);
  const parts = followJobLog(deps, job, request, from, signal);
  return sendEvents(reply, events(parts, signal), { clock, signal });
}

/** The number of the line after which a browser reconnects. */
function lastEvent({ request }: FastifyReply): number | null {
  const header = request.headers["last-event-id"];
  if (header === undefined || header === "") return null;
  if (typeof header === "string" && /^\d{1,15}$/.test(header)) return Number(header);
  const detail = 'The Last-Event-ID header must be the "id" of an event of this log.';
  throw new Fault("invalid_query", { detail });
}

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
  if (!signal.aborted) yield 'event: end\ndata: {"reason":"The log is complete."}\n\n';
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

// /v2/<endpoint>/openai/<path>: the request becomes a job, and what the worker yields becomes the reply:
// one object, or a stream of the text as the worker wrote it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Scanned } from "../../base/json/outline.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Chunk, Job } from "../../domain/job/job.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import { limits } from "../../domain/protocol.ts";
import { cancel } from "../../flows/job/cancel.ts";
import { readOutput } from "../../flows/job/job-text.ts";
import { drainOutput } from "../../flows/job/output/drain-output.ts";
import { submit } from "../../flows/job/submit.ts";
import { type JobName, waitForEnd } from "../../flows/job/wait.ts";
import { requireLastingAccess } from "../http/auth/reauthenticate.ts";
import { rawBody } from "../http/body/raw-body.ts";
import { dropBody } from "../http/body/receive.ts";
import { asFault, sendFault } from "../http/faults.ts";
import { JSON_TYPE } from "../http/json-headers.ts";
import { traceOf } from "../http/trace/request-trace.ts";
import type { EdgeDeps } from "../management/job/deps.ts";
import { send } from "../management/job/send.ts";
import { firstWhole, openaiFault, openaiInput, openaiRefusal, wantsStream } from "./openai-text.ts";
import { endpointOf, operation } from "./route.ts";

/** How long one wait for the job is; the request waits as long as its client stays connected. */
const WAIT_MS = 30_000;

/** A scope of its own within the queue's, for the form of its errors. */
export function addOpenai(queue: FastifyInstance, deps: EdgeDeps): void {
  void queue.register(async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const fault = asFault(error, request);
      sendFault(reply, fault, openaiRefusal(fault));
    });
    addRoute(app, deps);
  });
}

function addRoute(app: FastifyInstance, deps: EdgeDeps): void {
  app.route({
    method: ["GET", "POST", "PUT", "DELETE", "PATCH"],
    url: "/v2/:endpointId/openai/*",
    ...operation("write", limits.runsyncBytes),
    handler: async (request, reply) => {
      const endpoint = await endpointOf(deps, request);
      const body = request.body === undefined ? null : rawBody(request).scanned;
      const signal = deps.polls.hold(reply);
      const id = await submitOpenai(deps, endpoint, request, body);
      dropBody(request);
      if (signal.aborted) return cancelQuietly(deps, endpoint.id, id);
      signal.addEventListener("abort", () => void cancelQuietly(deps, endpoint.id, id));
      const job = { endpointId: endpoint.id, id };
      const answer = wantsStream(body) ? streamReply : singleReply;
      try {
        return await answer(deps, job, reply, signal);
      } catch (error) {
        // A caller that lost access gets no more of the answer, as if it had disconnected.
        void cancelQuietly(deps, endpoint.id, id);
        if (!reply.raw.headersSent) throw error;
        return reply.raw.destroy();
      }
    },
  });
}

function pathOf(request: FastifyRequest): string {
  return `/${(request.params as { "*": string })["*"]}`;
}

/** A function of its own, so that the input is not held while the request waits. */
function submitOpenai(
  deps: EdgeDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  body: Scanned | null,
): Promise<string> {
  const trace = traceOf(request);
  const input = openaiInput(pathOf(request), body ? body.body.cut(body) : null);
  const defaults = { webhook: null, extras: null, policy: {}, once: null };
  return submit(deps, { endpoint, sync: true, input, trace, hasWait: false, ...defaults });
}

/** Cancels the job of a client that has disconnected. */
async function cancelQuietly(deps: EdgeDeps, endpointId: string, id: string): Promise<void> {
  await cancel(deps, endpointId, id).catch(() => {});
}

async function singleReply(deps: EdgeDeps, job: JobName, reply: FastifyReply, signal: AbortSignal) {
  let ended: Job;
  do {
    ended = await waitForEnd(deps, job, { waitMs: WAIT_MS, signal });
    await requireLastingAccess(reply.request, deps);
  } while (!isTerminal(ended.state) && !signal.aborted);
  if (signal.aborted) return reply.code(499).send();
  if (ended.state !== "COMPLETED") return sendFailure(reply, ended);
  const yielded = await firstYield(deps, job, signal);
  if (yielded !== null) return send(reply, yielded);
  return send(reply, (await readOutput(deps.store, ended)) ?? "null");
}

/** The first thing a generator yielded; null if it yielded nothing. */
async function firstYield(
  deps: EdgeDeps,
  job: JobName,
  signal: AbortSignal,
): Promise<string | null> {
  const chunks: Chunk[] = [];
  for (;;) {
    const drained = await drainOutput(deps, job, { holdMs: 0, from: chunks.length }, signal);
    chunks.push(...drained.chunks);
    const whole = firstWhole(chunks);
    if (whole !== null || drained.chunks.length === 0) return whole;
  }
}

async function streamReply(deps: EdgeDeps, job: JobName, reply: FastifyReply, signal: AbortSignal) {
  let next = 0;
  let framed = false;
  for (;;) {
    const drained = await drainOutput(deps, job, { holdMs: WAIT_MS, from: next }, signal);
    await requireLastingAccess(reply.request, deps);
    next += drained.chunks.length;
    const failed = isTerminal(drained.status) && drained.job.state !== "COMPLETED";
    if (signal.aborted) return reply.hijack();
    if (failed && !reply.raw.headersSent && drained.chunks.length === 0) {
      return sendFailure(reply, drained.job);
    }
    if (!reply.raw.headersSent) {
      reply.hijack();
      reply.raw.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-cache",
      });
    }
    for (const { output } of drained.chunks) framed = writeChunk(reply, output) || framed;
    if (!isTerminal(drained.status)) continue;
    if (failed) reply.raw.write(`data: ${openaiFault(drained.job).text}\n\n`);
    if (framed) reply.raw.write("data: [DONE]\n\n");
    reply.raw.end();
    return;
  }
}

/**
 * Sends text exactly as the worker yielded it, because it is event-stream text already. Older workers
 * yield objects: each becomes an event. Returns true for these, since a closing event must follow.
 */
function writeChunk(reply: FastifyReply, output: string): boolean {
  const value: unknown = JSON.parse(output);
  if (typeof value === "string") {
    reply.raw.write(value);
    return false;
  }
  for (const each of Array.isArray(value) ? value : [value]) {
    reply.raw.write(`data: ${JSON.stringify(each)}\n\n`);
  }
  return true;
}

/** OpenAI's clients repeat a 408 or a 500, which would run a job again that has ended. */
function sendFailure(reply: FastifyReply, job: Job): FastifyReply {
  const { status, text } = openaiFault(job);
  return reply
    .code(status)
    .header("content-type", JSON_TYPE)
    .header("x-should-retry", "false")
    .send(text);
}

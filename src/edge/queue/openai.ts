// /v2/<endpoint>/openai/<path>: the request becomes a job, and what the worker yields becomes the
// reply: one object unwrapped, or a stream of the very text it wrote.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import { limits } from "../../domain/protocol.ts";
import { cancel } from "../../flows/job/cancel.ts";
import { drainOutput } from "../../flows/job/drain-output.ts";
import { submit } from "../../flows/job/submit.ts";
import { waitForEnd } from "../../flows/job/wait.ts";
import { readText } from "../../flows/payload/read-text.ts";
import type { Chunk } from "../../store/job/chunk.ts";
import type { JobRow } from "../../store/job/row.ts";
import { rawBody } from "../http/raw-body.ts";
import type { EdgeDeps } from "./deps.ts";
import { firstWhole, openaiFault, openaiInput, wantsStream } from "./openai-text.ts";
import { endpointOf, operation } from "./route.ts";
import { JSON_TYPE, send } from "./send.ts";

/** How long one look at the job is held; the whole wait is as long as the client stays. */
const LOOK_MS = 30_000;

export function addOpenai(app: FastifyInstance, deps: EdgeDeps): void {
  app.route({
    method: ["GET", "POST", "PUT", "DELETE", "PATCH"],
    url: "/v2/:endpointId/openai/*",
    ...operation("write", limits.runsyncBytes),
    handler: async (request, reply) => {
      const endpoint = await endpointOf(deps, request);
      const body = request.body === undefined ? null : rawBody(request).scanned;
      const input = openaiInput(pathOf(request), body ? body.body.cut(body) : null);
      const gone = deps.polls.hold(request, reply);
      const id = await submit(deps, openaiJob(endpoint, input));
      if (gone.aborted) return callOff(deps, endpoint.id, id);
      gone.addEventListener("abort", () => void callOff(deps, endpoint.id, id));
      const job = { endpointId: endpoint.id, id };
      if (wantsStream(body)) return streamReply(deps, job, reply, gone);
      return singleReply(deps, job, reply, gone);
    },
  });
}

function pathOf(request: FastifyRequest): string {
  return `/${(request.params as { "*": string })["*"]}`;
}

function openaiJob(endpoint: Endpoint, input: Buffer): Parameters<typeof submit>[1] {
  const nothing = { webhook: null, extras: null, policy: {}, once: null };
  return { endpoint, sync: true, input, waitGiven: false, ...nothing };
}

/** The client has gone: nobody will read what the worker would still write. */
async function callOff(deps: EdgeDeps, endpointId: string, id: string): Promise<void> {
  await cancel(deps, endpointId, id).catch(() => {});
}

interface JobName {
  endpointId: string;
  id: string;
}

async function singleReply(deps: EdgeDeps, job: JobName, reply: FastifyReply, gone: AbortSignal) {
  let ended = await waitForEnd(deps, job, LOOK_MS, gone);
  while (!isTerminal(ended.state) && !gone.aborted) {
    ended = await waitForEnd(deps, job, LOOK_MS, gone);
  }
  if (gone.aborted) return reply.code(499).send();
  if (ended.state !== "COMPLETED") return sendFailure(reply, ended);
  const yielded = await firstYield(deps, job, gone);
  if (yielded !== null) return send(reply, yielded);
  const { output, output_payload } = ended;
  const text = await readText(deps.store, { inline: output, payload: output_payload }, ended.id);
  return send(reply, text ?? "null");
}

/** The first thing a generator yielded; null if it yielded nothing. */
async function firstYield(deps: EdgeDeps, job: JobName, gone: AbortSignal): Promise<string | null> {
  const chunks: Chunk[] = [];
  for (;;) {
    const look = await drainOutput(deps, job, { holdMs: 0, from: chunks.length }, gone);
    chunks.push(...look.chunks);
    const whole = firstWhole(chunks);
    if (whole !== null || look.chunks.length === 0) return whole;
  }
}

async function streamReply(deps: EdgeDeps, job: JobName, reply: FastifyReply, gone: AbortSignal) {
  let next = 0;
  let framed = false;
  for (;;) {
    const drained = await drainOutput(deps, job, { holdMs: LOOK_MS, from: next }, gone);
    next += drained.chunks.length;
    const failed = isTerminal(drained.status) && drained.job.state !== "COMPLETED";
    if (gone.aborted) return reply.hijack();
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
 * Text goes out exactly as the worker yielded it, for it is event-stream text already. Objects come
 * from older workers: each becomes an event, and the caller owes the closing one. Returns whether.
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

function sendFailure(reply: FastifyReply, job: JobRow): FastifyReply {
  const { status, text } = openaiFault(job);
  return reply.code(status).header("content-type", JSON_TYPE).send(text);
}

// GET or POST /stream/<job>: what a generator has yielded since the last call. The specification shows
// a bare array, the published SDKs read an envelope. The credential tells them apart: the specification
// sends the bare key, the SDKs send Bearer.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { covers } from "../../domain/access.ts";
import { Fault } from "../../domain/fault.ts";
import type { Chunk } from "../../domain/job/job.ts";
import { drainOutput } from "../../flows/job/output/drain-output.ts";
import { requireLastingAccess } from "../http/auth/reauthenticate.ts";
import { JSON_HEADERS, JSON_TYPE } from "../http/json-headers.ts";
import type { EdgeDeps } from "../management/job/deps.ts";
import { send } from "../management/job/send.ts";
import { waitMs, wholeNumber } from "./query.ts";
import { endpointOf, jobIdOf, read } from "./route.ts";

export function addStream(app: FastifyInstance, deps: EdgeDeps): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const endpoint = await endpointOf(deps, request);
    const job = { endpointId: endpoint.id, id: jobIdOf(request) };
    const format = formatOf(request);
    const signal = deps.polls.hold(reply);
    const options = {
      holdMs: waitMs(request.query) ?? deps.protocol.streamHoldMs,
      from: fromOf(request),
    };
    const drained = await drainOutput(deps, job, options, signal);
    await requireLastingAccess(request, deps);
    const chunks = `[${drained.chunks.map(chunkText).join(",")}]`;
    const text = format === "array" ? chunks : `{"status":"${drained.status}","stream":${chunks}}`;
    // A key that may only read takes nothing from those that follow the job.
    if (drained.chunks.length === 0 || !mayTake(request)) return send(reply, text);
    return sendBeforeMove(reply, text, drained.delivered);
  };
  app.get("/v2/:endpointId/stream/:jobId", read, handler);
  app.post("/v2/:endpointId/stream/:jobId", read, handler);
}

/**
 * Sends the reply without its last byte, moves the cursor, then sends the last byte. A client that calls
 * again, on any replica, has the whole reply and finds the cursor moved; a client whose connection broke
 * finds it where it was.
 */
async function sendBeforeMove(
  reply: FastifyReply,
  text: string,
  move: () => Promise<void>,
): Promise<FastifyReply> {
  reply.hijack();
  const { raw } = reply;
  const body = Buffer.from(text);
  raw.writeHead(200, {
    ...JSON_HEADERS,
    "content-type": JSON_TYPE,
    "content-length": body.length,
  });
  const sent = await new Promise<boolean>((resolve) => {
    raw.once("close", () => resolve(false));
    raw.write(body.subarray(0, -1), (error) => resolve(!error));
  });
  // If the store is unavailable, the cursor stays and the chunks are delivered again.
  if (sent) await move().catch(() => {});
  raw.end(body.subarray(-1));
  return reply;
}

function mayTake({ principal }: FastifyRequest): boolean {
  return principal?.kind === "account" && covers(principal.key.permissions.queue, "write");
}

function chunkText({ output, metrics }: Chunk): string {
  return `{"output":${output},"metrics":${metrics ?? "{}"}}`;
}

function formatOf(request: FastifyRequest): "array" | "envelope" {
  const { format } = request.query as { format?: string };
  if (format === "array" || format === "envelope") return format;
  if (format !== undefined) {
    throw new Fault("invalid_query", {
      detail: `"format" is "array" or "envelope"; it is "${format}".`,
    });
  }
  return request.method === "GET" && !request.bearer ? "array" : "envelope";
}

function fromOf(request: FastifyRequest): number | null {
  const from = wholeNumber(request.query, "from", "a whole number such as 10");
  if (from !== null && from < 0) {
    throw new Fault("invalid_query", { detail: `"from" counts chunks from 0; it is ${from}.` });
  }
  return from;
}

// The worker protocol: /v2/<endpoint>/job-take/<worker> and its siblings. A worker does not retry a
// refused post and repeats an empty poll at once, so polls are held, and refusals of polls too.

import type { FastifyInstance } from "fastify";
import { pause, routineOf } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { limits } from "../../domain/protocol.ts";
import { PROGRAM_START_HEADER, readProgramStart } from "../../domain/worker/program-start.ts";
import { finish, refuseResult } from "../../flows/job/finish.ts";
import { appendOutput } from "../../flows/job/output/append-output.ts";
import { reportProgress } from "../../flows/job/output/report-progress.ts";
import { holdMs, take } from "../../flows/job/take.ts";
import { isStoreUnavailable, RetryingStore } from "../../flows/store-unavailable.ts";
import { awaitStops } from "../../flows/worker/await-stops.ts";
import { ping } from "../../flows/worker/ping.ts";
import { type RawBody, rawBody } from "../http/body/raw-body.ts";
import type { TooLarge } from "../http/body/receive.ts";
import { sendFault } from "../http/faults.ts";
import type { RouteRefusal, RouteReply, RouteRequest } from "../http/request/route.ts";
import { retryDeadlineFor } from "../http/retry-deadline.ts";
import type { PlainRoutes } from "../http/routes/plain-routes.ts";
import { RouteScope } from "../http/routes/route-scope.ts";
import type { EdgeDeps } from "../management/job/deps.ts";
import { send } from "../management/job/send.ts";
import { jobArray, jobObject } from "./job-object.ts";
import { RESULT_KEYS, readChunk, readPosted } from "./result.ts";

const poll = { config: { needs: "worker" as const } };
const post = { config: { needs: "worker" as const, bodyBytes: limits.resultBytes } };

/** A larger batch_size is reduced to this. */
const MAX_BATCH = 1_000;

/** How long a ping waits for an unavailable store; the next ping comes soon. */
const PING_HOLD_MS = 2_000;

interface Worker {
  id: string;
  endpointId: string;
}

export function workerRoutes(deps: EdgeDeps, plainRoutes: PlainRoutes) {
  const scope = new RouteScope({
    bodies: { keys: RESULT_KEYS, lenient: true, rooms: deps.bodyRooms },
    refusal: holdRefusals(deps),
  });
  addTakes(scope, deps);
  addPosts(scope, deps);
  addSigns(scope, deps);
  plainRoutes.add(scope);
  return async (app: FastifyInstance): Promise<void> => scope.register(app);
}

function addTakes(scope: RouteScope, deps: EdgeDeps): void {
  scope.get("/v2/:endpointId/job-take/:workerId", poll, async (request, reply) => {
    const worker = arrive(deps, request);
    if (deps.polls.stopping) return holdWhileStopping(deps, worker, reply);
    const [job] = await take(deps, worker, 1, deps.polls.poll(reply));
    if (job) deps.presence.noteJob(worker.id);
    const store = retryingStore(deps, request, reply);
    return job ? send(reply, await jobObject(store, job)) : reply.code(204).send();
  });

  scope.get("/v2/:endpointId/job-take-batch/:workerId", poll, async (request, reply) => {
    const worker = arrive(deps, request);
    if (deps.polls.stopping) return holdWhileStopping(deps, worker, reply);
    const jobs = await take(deps, worker, batchSize(request), deps.polls.poll(reply));
    if (jobs.length > 0) deps.presence.noteJob(worker.id);
    const store = retryingStore(deps, request, reply);
    return jobs.length > 0 ? send(reply, await jobArray(store, jobs)) : reply.code(204).send();
  });
}

function addPosts(scope: RouteScope, deps: EdgeDeps): void {
  scope.post("/v2/:endpointId/job-done/:workerId/:jobId", post, async (request, reply) => {
    const worker = workerOf(request);
    const retrying = { ...deps, store: retryingStore(deps, request, reply) };
    const { jobId } = request.params as { jobId: string };
    const body = request.body as RawBody | TooLarge | undefined;
    if (body && "tooLarge" in body) {
      await refuseResult(retrying, worker, jobId, body.tooLarge);
      throw new Fault("result_too_large", { bytes: body.tooLarge, limit: limits.resultBytes });
    }
    const { scanned } = rawBody(request);
    const posted = readPosted(scanned);
    if (posted.kind === "progress") {
      await reportProgress(retrying, worker, jobId, posted.output);
      return { status: "ok" };
    }
    const reported = await finish(retrying, { ...posted, jobId, worker, bytes: scanned.bytes });
    return replyTo(reported, jobId);
  });

  scope.post("/v2/:endpointId/job-stream/:workerId/:jobId", post, async (request, reply) => {
    const { jobId } = request.params as { jobId: string };
    const { scanned } = rawBody(request);
    const chunk = { ...readChunk(scanned), bytes: scanned.bytes };
    const retrying = { ...deps, store: retryingStore(deps, request, reply) };
    return replyTo(await appendOutput(retrying, workerOf(request), jobId, chunk), jobId);
  });
}

/** A late or repeated post is accepted; a job that the worker never held is not found. */
function replyTo(reported: "recorded" | "late" | "unknown", jobId: string): { status: string } {
  if (reported === "unknown") throw new Fault("job_not_found", { id: jobId });
  return { status: reported === "late" ? "late" : "ok" };
}

function addSigns(scope: RouteScope, deps: EdgeDeps): void {
  scope.get("/v2/:endpointId/job-stop/:workerId", poll, async (request, reply) => {
    const worker = workerOf(request);
    deps.presence.note(worker.id, "stop", programStart(request));
    if (deps.polls.stopping) return holdWhileStopping(deps, worker, reply);
    const jobsToStop = await awaitStops(deps, worker.id, deps.polls.hold(reply));
    return jobsToStop.length > 0 ? { jobsToStop } : reply.code(204).send();
  });

  scope.get("/v2/:endpointId/ping/:workerId", poll, async (request, reply) => {
    const query = request.query as Record<string, string | string[] | undefined>;
    const text = (name: string) => [query[name] ?? []].flat().join(",");
    const unhealthy = text("status") === "unhealthy";
    const sign = {
      jobIds: text("job_id")
        .split(",")
        .filter((id) => id !== ""),
      version: text("runpod_version") || null,
      start: programStart(request),
      unhealthy: unhealthy ? `${text("check") || "start-up check"}: ${text("reason")}` : null,
    };
    const retrying = { ...deps, store: retryingStore(deps, request, reply, PING_HOLD_MS) };
    // A ping that could not be stored is dropped; the next one comes soon.
    await ping(retrying, workerOf(request).id, sign).catch(requireStoreUnavailable);
    return { status: "ok" };
  });
}

function arrive(deps: EdgeDeps, request: RouteRequest): Worker {
  const worker = workerOf(request);
  const { job_in_progress: busy } = request.query as { job_in_progress?: string };
  deps.presence.note(worker.id, busy === "0" ? "idle" : "busy", programStart(request));
  return worker;
}

/**
 * While the service stops, a new poll is held until its socket closes or the service has stopped. The
 * poll of a worker about to end is short, because such a worker ends with its polls.
 */
async function holdWhileStopping(deps: EdgeDeps, worker: Worker, reply: RouteReply) {
  const ms = Math.min(await holdMs(deps, worker.id), deps.protocol.drainMs);
  await pause(routineOf(deps.clock), ms, deps.polls.hold(reply));
  return reply.code(204).send();
}

const programStart = ({ headers }: RouteRequest) => readProgramStart(headers[PROGRAM_START_HEADER]);

function workerOf(request: RouteRequest): Worker {
  if (request.principal?.kind !== "worker") throw new Fault("unauthorized");
  return { id: request.principal.worker.id, endpointId: request.principal.worker.endpointId };
}

function batchSize(request: RouteRequest): number {
  const size = Number((request.query as { batch_size?: string }).batch_size ?? 1);
  return Number.isInteger(size) ? Math.min(MAX_BATCH, Math.max(1, size)) : 1;
}

/** A store that is waited for: while it is unavailable, a worker's request is held, not refused. */
function retryingStore(
  deps: EdgeDeps,
  request: RouteRequest,
  reply: RouteReply,
  maxMs?: number,
): RetryingStore {
  return new RetryingStore(deps.store, retryDeadlineFor(deps, request, reply, maxMs));
}

function requireStoreUnavailable(error: unknown): void {
  if (!isStoreUnavailable(error)) throw error;
}

/** Delays refusals of polls: a worker repeats a refused poll at once, a thousand times a second. */
function holdRefusals(deps: EdgeDeps): RouteRefusal {
  return async (error, request, reply) => {
    // The poll was held to its end while the store was unavailable.
    if (request.method === "GET" && isStoreUnavailable(error)) return reply.code(204).send();
    const fault = asRefusal(error);
    if (request.method === "GET") {
      const signal = deps.polls.hold(reply);
      await pause(routineOf(deps.clock), deps.protocol.refuseHoldMs, signal);
    }
    if (!fault) throw error;
    sendFault(reply, fault);
    return reply;
  };
}

function asRefusal(error: unknown): Fault | null {
  return error instanceof Fault ? error : null;
}

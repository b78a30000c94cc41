// The worker's interface, beside the client's: /v2/<endpoint>/job-take/<worker> and its siblings.
// A worker retries nothing that was refused and, told nothing at once, asks again at once: so polls
// are held, and refusals too.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pause } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { limits } from "../../domain/protocol.ts";
import { appendOutput } from "../../flows/job/append-output.ts";
import { finish, refuseResult } from "../../flows/job/finish.ts";
import { reportProgress } from "../../flows/job/report-progress.ts";
import { holdMs, take } from "../../flows/job/take.ts";
import { isStoreAway, PatientStore } from "../../flows/store-away.ts";
import { awaitStops } from "../../flows/worker/await-stops.ts";
import { ping } from "../../flows/worker/ping.ts";
import type { Store } from "../../store/store.ts";
import { sendFault } from "../http/faults.ts";
import { patienceFor } from "../http/patience.ts";
import { type RawBody, rawBody, type TooLarge, takeRawBodies } from "../http/raw-body.ts";
import type { EdgeDeps } from "../queue/deps.ts";
import { send } from "../queue/send.ts";
import { jobArray, jobObject } from "./job-object.ts";
import { RESULT_KEYS, readChunk, readPosted } from "./result.ts";

const poll = { config: { needs: "worker" as const } };
const post = { config: { needs: "worker" as const, bodyBytes: limits.resultBytes } };

/** As many jobs as one batch may carry, whatever a worker asks for. */
const LARGEST_BATCH = 1_000;

/** A ping is soon followed by the next. */
const PING_HOLD_MS = 2_000;

interface Worker {
  id: string;
  endpointId: string;
}

export function workerRoutes(deps: EdgeDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    takeRawBodies(app, { keys: RESULT_KEYS, lenient: true, inFlight: deps.inFlight });
    holdRefusals(app, deps);
    addTakes(app, deps);
    addPosts(app, deps);
    addSigns(app, deps);
  };
}

function addTakes(app: FastifyInstance, deps: EdgeDeps): void {
  app.get("/v2/:endpointId/job-take/:workerId", poll, async (request, reply) => {
    const worker = arrive(deps, request);
    if (deps.polls.stopping) return holdWhileStopping(deps, worker, request, reply);
    const [job] = await take(deps, worker, 1, deps.polls.poll(request, reply));
    const store = awaited(deps, request, reply);
    return job ? send(reply, await jobObject(store, job)) : reply.code(204).send();
  });

  app.get("/v2/:endpointId/job-take-batch/:workerId", poll, async (request, reply) => {
    const worker = arrive(deps, request);
    if (deps.polls.stopping) return holdWhileStopping(deps, worker, request, reply);
    const jobs = await take(deps, worker, batchSize(request), deps.polls.poll(request, reply));
    const store = awaited(deps, request, reply);
    return jobs.length > 0 ? send(reply, await jobArray(store, jobs)) : reply.code(204).send();
  });
}

function addPosts(app: FastifyInstance, deps: EdgeDeps): void {
  app.post("/v2/:endpointId/job-done/:workerId/:jobId", post, async (request, reply) => {
    const worker = workerOf(request);
    const patient = { ...deps, store: awaited(deps, request, reply) };
    const { jobId } = request.params as { jobId: string };
    const body = request.body as RawBody | TooLarge | undefined;
    if (body && "tooLarge" in body) {
      await refuseResult(patient, worker, jobId, body.tooLarge);
      throw new Fault("result_too_large", { bytes: body.tooLarge, limit: limits.resultBytes });
    }
    const { scanned } = rawBody(request);
    const posted = readPosted(scanned);
    if (posted.kind === "progress") {
      await reportProgress(patient, worker, jobId, posted.output);
      return { status: "ok" };
    }
    const reported = await finish(patient, { ...posted, jobId, worker, bytes: scanned.bytes });
    return answered(reported, jobId);
  });

  app.post("/v2/:endpointId/job-stream/:workerId/:jobId", post, async (request, reply) => {
    const { jobId } = request.params as { jobId: string };
    const { scanned } = rawBody(request);
    const chunk = { ...readChunk(scanned), bytes: scanned.bytes };
    const patient = { ...deps, store: awaited(deps, request, reply) };
    return answered(await appendOutput(patient, workerOf(request), jobId, chunk), jobId);
  });
}

/** What comes late or twice is as good as recorded; what was never this worker's is not there. */
function answered(reported: "recorded" | "late" | "unknown", jobId: string): { status: string } {
  if (reported === "unknown") throw new Fault("job_not_found", { id: jobId });
  return { status: reported === "late" ? "late" : "ok" };
}

function addSigns(app: FastifyInstance, deps: EdgeDeps): void {
  app.get("/v2/:endpointId/job-stop/:workerId", poll, async (request, reply) => {
    const worker = workerOf(request);
    deps.presence.note(worker.id, "stop");
    if (deps.polls.stopping) return holdWhileStopping(deps, worker, request, reply);
    const jobsToStop = await awaitStops(deps, worker.id, deps.polls.hold(request, reply));
    return jobsToStop.length > 0 ? { jobsToStop } : reply.code(204).send();
  });

  app.get("/v2/:endpointId/ping/:workerId", poll, async (request, reply) => {
    const query = request.query as Record<string, string | string[] | undefined>;
    const said = (name: string) => [query[name] ?? []].flat().join(",");
    const unhealthy = said("status") === "unhealthy";
    const sign = {
      jobIds: said("job_id")
        .split(",")
        .filter((id) => id !== ""),
      version: said("runpod_version") || null,
      unhealthy: unhealthy ? `${said("check") || "start-up check"}: ${said("reason")}` : null,
    };
    const patient = { ...deps, store: awaited(deps, request, reply, PING_HOLD_MS) };
    // One that the store could not hear counts for nothing; the next comes soon.
    await ping(patient, workerOf(request).id, sign).catch(mustBeStoreAway);
    return { status: "ok" };
  });
}

function arrive(deps: EdgeDeps, request: FastifyRequest): Worker {
  const worker = workerOf(request);
  const { job_in_progress: busy } = request.query as { job_in_progress?: string };
  deps.presence.note(worker.id, busy === "0" ? "idle" : "busy");
  return worker;
}

/**
 * While the service stops, a poll that comes anew is held until it is gone or we are; but for a
 * worker that was told to end, which ends when its polls do.
 */
async function holdWhileStopping(
  deps: EdgeDeps,
  worker: Worker,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const ms = Math.min(await holdMs(deps, worker.id), deps.protocol.drainMs);
  await pause(deps.clock, ms, deps.polls.hold(request, reply));
  return reply.code(204).send();
}

function workerOf(request: FastifyRequest): Worker {
  if (request.holder?.kind !== "worker") throw new Fault("unauthorized");
  return { id: request.holder.worker.id, endpointId: request.holder.worker.endpoint_id };
}

function batchSize(request: FastifyRequest): number {
  const asked = Number((request.query as { batch_size?: string }).batch_size ?? 1);
  return Number.isInteger(asked) ? Math.min(LARGEST_BATCH, Math.max(1, asked)) : 1;
}

/** What a worker sends is not refused while the store is away, but waited with. */
function awaited(
  deps: EdgeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  mostMs?: number,
): Store {
  return new PatientStore(deps.store, patienceFor(deps, request, reply, mostMs));
}

function mustBeStoreAway(error: unknown): void {
  if (!isStoreAway(error)) throw error;
}

/** A worker that is refused would ask again at once, a thousand times a second: it is made to wait. */
function holdRefusals(app: FastifyInstance, deps: EdgeDeps): void {
  app.setErrorHandler(async (error, request, reply) => {
    // It has waited for the store to the end of its hold, and there is nothing to tell it.
    if (request.method === "GET" && isStoreAway(error)) return reply.code(204).send();
    const fault = asRefusal(error);
    if (request.method === "GET") {
      const gone = deps.polls.hold(request, reply);
      await pause(deps.clock, deps.protocol.refuseHoldMs, gone);
    }
    if (!fault) throw error;
    sendFault(reply, fault);
    return reply;
  });
}

function asRefusal(error: unknown): Fault | null {
  return error instanceof Fault ? error : null;
}

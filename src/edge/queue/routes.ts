// The queue's API: /v2/<endpoint>/<operation>. Every reply is JSON with status 200.

import type { FastifyInstance } from "fastify";
import { covers } from "../../domain/access.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { anyJob } from "../../domain/job/job-filter.ts";
import { limits } from "../../domain/protocol.ts";
import { endpointHealth } from "../../flows/endpoint/health.ts";
import { cancel, purge } from "../../flows/job/cancel.ts";
import { find } from "../../flows/job/find.ts";
import { jobText } from "../../flows/job/job-text.ts";
import { list, statesOfStatus } from "../../flows/job/list.ts";
import { retry } from "../../flows/job/retry.ts";
import { setTtl } from "../../flows/job/set-ttl.ts";
import { submit } from "../../flows/job/submit.ts";
import { submitAndWait, waitForEnd } from "../../flows/job/wait.ts";
import { joinTextArray, joinTexts } from "../../flows/payload/join-text.ts";
import { requireLastingAccess } from "../http/auth/reauthenticate.ts";
import { rawBody } from "../http/body/raw-body.ts";
import { dropBody } from "../http/body/receive.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { JSON_TYPE } from "../http/json-headers.ts";
import type { RouteRequest } from "../http/request/route.ts";
import type { PlainRoutes } from "../http/routes/plain-routes.ts";
import { rateLimitOf } from "../http/routes/rate-limit.ts";
import { RouteScope } from "../http/routes/route-scope.ts";
import { traceOf } from "../http/trace/request-trace.ts";
import type { EdgeDeps } from "../management/job/deps.ts";
import { jobPolicyOf } from "../management/job/job-policy.ts";
import { mustHaveRoom } from "../management/job/queue-room.ts";
import { send, sendJob } from "../management/job/send.ts";
import { readSubmission, SUBMIT_KEYS } from "../management/job/submission.ts";
import { addOpenai } from "./openai.ts";
import { pageSize, single, ttlMs, waitMs } from "./query.ts";
import {
  anyEndpointOf,
  both,
  endpointOf,
  jobIdOf,
  limitOf,
  operation,
  read,
  requireEndpoint,
  write,
} from "./route.ts";
import { addStream } from "./stream.ts";

export function queueRoutes(deps: EdgeDeps, plainRoutes: PlainRoutes) {
  const scope = new RouteScope({
    bodies: { keys: SUBMIT_KEYS, lenient: false, rooms: deps.bodyRooms },
    preconditions: [...rateLimitOf(deps.rates, limitOf), requireEndpoint(deps)],
  });
  addSubmits(scope, deps);
  addStatus(scope, deps);
  addChanges(scope, deps);
  addHealth(scope, deps);
  addRequests(scope, deps);
  plainRoutes.add(scope);
  return async (app: FastifyInstance): Promise<void> => {
    scope.register(app);
    addStream(app, deps);
    addOpenai(app, deps);
  };
}

function addSubmits(scope: RouteScope, deps: EdgeDeps): void {
  scope.post("/v2/:endpointId/run", operation("write", limits.runBytes), async (request, reply) => {
    const endpoint = await endpointOf(deps, request);
    const body = readSubmission(request);
    await mustHaveRoom(deps, endpoint);
    const id = await submit(deps, jobRequest(deps, request, endpoint, body));
    return reply.header("content-type", JSON_TYPE).send(`{"id":"${id}","status":"IN_QUEUE"}`);
  });

  const runsync = operation("write", limits.runsyncBytes);
  scope.post("/v2/:endpointId/runsync", runsync, async (request, reply) => {
    const endpoint = await endpointOf(deps, request);
    const wait = waitMs(request.query);
    const body = readSubmission(request);
    await mustHaveRoom(deps, endpoint);
    const signal = deps.polls.hold(reply);
    const job = {
      ...jobRequest(deps, request, endpoint, body),
      sync: true,
      hasWait: wait !== null,
    };
    const bounded = { waitMs: wait ?? deps.protocol.defaultWaitMs, signal };
    const ended = await submitAndWait(deps, job, bounded, () => dropBody(request));
    await requireLastingAccess(request, deps);
    return sendJob(deps, reply, ended);
  });
}

/** An asynchronous job. */
function jobRequest(
  { vault }: EdgeDeps,
  request: RouteRequest,
  endpoint: Endpoint,
  body: ReturnType<typeof readSubmission>,
): Parameters<typeof submit>[1] {
  return {
    endpoint,
    sync: false,
    input: body.input,
    webhook: body.webhook,
    extras: body.extras,
    policy: jobPolicyOf(body.policy),
    hasWait: false,
    trace: traceOf(request),
    once: readIdempotencyKey(vault, request, () => wholeBody(request)),
  };
}

function wholeBody(request: RouteRequest): Buffer {
  const { scanned } = rawBody(request);
  return scanned.body.cut(scanned);
}

function addStatus(scope: RouteScope, deps: EdgeDeps): void {
  both(scope, "/v2/:endpointId/status/:jobId", async (request, reply) => {
    const endpoint = await endpointOf(deps, request);
    const ttl = ttlMs(request.query);
    if (ttl !== null) mustWrite(request);
    const found = await find(deps, endpoint.id, jobIdOf(request));
    const job = ttl === null ? found : await setTtl(deps, found, ttl);
    return sendJob(deps, reply, job);
  });

  both(scope, "/v2/:endpointId/status-sync/:jobId", async (request, reply) => {
    const endpoint = await endpointOf(deps, request);
    const wait = waitMs(request.query) ?? deps.protocol.defaultWaitMs;
    const signal = deps.polls.hold(reply);
    const job = { endpointId: endpoint.id, id: jobIdOf(request) };
    const ended = await waitForEnd(deps, job, { waitMs: wait, signal });
    await requireLastingAccess(request, deps);
    return sendJob(deps, reply, ended);
  });
}

function addChanges(scope: RouteScope, deps: EdgeDeps): void {
  scope.post("/v2/:endpointId/cancel/:jobId", write, async (request, reply) => {
    const endpoint = await endpointOf(deps, request);
    const job = await cancel(deps, endpoint.id, jobIdOf(request));
    return sendJob(deps, reply, job);
  });

  scope.post("/v2/:endpointId/retry/:jobId", write, async (request) => {
    const endpoint = await endpointOf(deps, request);
    const id = jobIdOf(request);
    await retry(deps, endpoint.id, id);
    return { id, status: "IN_QUEUE" };
  });

  scope.post("/v2/:endpointId/purge-queue", write, async (request) => {
    const endpoint = await endpointOf(deps, request);
    return { removed: await purge(deps, endpoint.id), status: "completed" };
  });
}

function mustWrite(request: RouteRequest): void {
  const { principal } = request;
  if (principal?.kind === "account" && covers(principal.key.permissions.queue, "write")) return;
  throw new Fault("forbidden", { detail: 'Setting "ttl" needs write permission for the queue.' });
}

function addHealth(scope: RouteScope, deps: EdgeDeps): void {
  scope.get("/v2/:endpointId/health", read, async (request) => {
    const endpoint = await anyEndpointOf(deps, request);
    return endpointHealth(deps, endpoint);
  });

  scope.get("/v2/:endpointId/metrics", read, async (request) => {
    const endpoint = await anyEndpointOf(deps, request);
    const { workers, readyWorkers } = await endpointHealth(deps, endpoint, true);
    return { readyWorkers, workers };
  });
}

function addRequests(scope: RouteScope, deps: EdgeDeps): void {
  scope.get("/v2/:endpointId/requests", read, async (request, reply) => {
    const endpoint = await endpointOf(deps, request);
    const status = single(request.query, "status");
    const states = status === null ? null : statesOfStatus(status);
    const filter = { ...anyJob, endpointId: endpoint.id, states };
    const jobs = await list(deps, endpoint.accountId, filter, {
      before: single(request.query, "before"),
      limit: pageSize(request.query),
    });
    const now = deps.clock.now();
    const texts = jobs.map(({ job }) => jobText(job, null, now));
    return send(reply, joinTexts('{"requests":', joinTextArray(texts), "}"));
  });
}

// What each trouble of requests does: it refuses a request before it has an effect, or changes the answer after it.

import type { FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import type { TroubleName, troubles } from "../../domain/trouble/catalog.ts";
import { faultBody } from "../http/faults.ts";
import { JSON_TYPE } from "../http/json-headers.ts";

/** An answer that is about to be sent; the body of a long one is a stream, and null here. */
export interface TroubleAnswer {
  status: number;
  type: string;
  body: string | null;
}

interface RequestTrouble {
  /** Whether it can strike the request. */
  concerns(request: FastifyRequest): boolean;
  refusal?(): Fault;
  /** Null if this answer stays as it is. */
  change?(request: FastifyRequest, answer: TroubleAnswer): TroubleAnswer | null;
}

type RequestTroubleName =
  | {
      [Name in TroubleName]: (typeof troubles)[Name]["seam"] extends "request" ? Name : never;
    }[TroubleName]
  | "disk-full";

const PAGE_524 =
  "<!DOCTYPE html><html><head><title>524: A timeout occurred</title></head>" +
  "<body><h1>A timeout occurred</h1><p>Error code 524</p></body></html>\n";
/** Mutations that create Pods. */
const CREATES_POD = /\b(?:podFindAndDeployOnDemand|podRentInterruptable|deployCpuPod)\b/;
const ENDED = new Set(["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]);

export const requestTroubles: Record<RequestTroubleName, RequestTrouble> = {
  "pod-create-500-but-created": {
    concerns: isRoute("POST", "/v1/pods"),
    change: ({ id }, { status }) =>
      status === 201 ? answerOf(new Fault("internal", { ref: id })) : null,
  },
  "no-capacity": {
    concerns: createsPod,
    refusal: () => new Fault("no_capacity"),
  },
  "429-storm": {
    concerns: isClient,
    refusal: () => new Fault("rate_limited", { detail: "slow down" }),
  },
  "edge-524": {
    concerns: isClient,
    change: () => ({ status: 524, type: "text/html; charset=UTF-8", body: PAGE_524 }),
  },
  "delete-then-404": {
    concerns: (request) => request.method === "DELETE" && routeOf(request).startsWith("/v1/"),
    change: (request, { status }) => (status < 300 ? answerOf(notFound(request)) : null),
  },
  "graphql-null-data": {
    concerns: isRoute("POST", "/graphql"),
    change: (_, answer) => withBody(answer, withoutData(answer.body)),
  },
  "stale-status": {
    concerns: (request) => /^\/v2\/:endpointId\/status(?:-sync)?\//.test(routeOf(request)),
    change: (request, answer) => withBody(answer, asInProgress(request, answer)),
  },
  "job-done-400": {
    concerns: isRoute("POST", "/v2/:endpointId/job-done/:workerId/:jobId"),
    refusal: () => new Fault("invalid_body", { detail: "Bad Request" }),
  },
  "disk-full": {
    concerns: submitsJobs,
    refusal: () => new Fault("disk_full"),
  },
};

const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? "";

function isRoute(method: string, route: string) {
  return (request: FastifyRequest) => request.method === method && routeOf(request) === route;
}

/** A client with an API key. The console keeps working. */
function isClient({ principal }: FastifyRequest): boolean {
  return principal?.kind === "account" && principal.session === null;
}

/** No trouble strikes the routes that control a test: it could not be switched off. */
export function canStrike(name: RequestTroubleName, request: FastifyRequest): boolean {
  const isControl = /^\/v1\/(?:faults|clock)\b/.test(routeOf(request));
  return !isControl && requestTroubles[name].concerns(request);
}

function submitsJobs(request: FastifyRequest): boolean {
  return (
    request.method === "POST" &&
    /^\/v2\/:endpointId\/(?:run|runsync|openai\/\*)$|^\/v1\/batches$/.test(routeOf(request))
  );
}

function createsPod(request: FastifyRequest): boolean {
  if (request.method !== "POST") return false;
  const route = routeOf(request);
  if (route !== "/graphql") return route === "/v1/pods" || route === "/v2/pods";
  return CREATES_POD.test(String((request.body as { query?: unknown } | undefined)?.query));
}

function answerOf(fault: Fault): TroubleAnswer {
  return { status: fault.status, type: JSON_TYPE, body: JSON.stringify(faultBody(fault)) };
}

function notFound(request: FastifyRequest): Fault {
  const id = Object.values(request.params as Record<string, string>).at(-1) ?? "";
  return new Fault("resource_not_found", { id });
}

const withBody = (answer: TroubleAnswer, body: string | null) =>
  body === null ? null : { ...answer, body };

/** The answer of a hosted service that loses what lies behind its fields. */
function withoutData(body: string | null): string | null {
  const { data } = JSON.parse(body ?? "{}") as { data?: Record<string, unknown> | null };
  if (!data) return null;
  return JSON.stringify({
    data: Object.fromEntries(Object.keys(data).map((name) => [name, null])),
  });
}

function asInProgress(request: FastifyRequest, { status, body }: TroubleAnswer): string | null {
  if (status !== 200) return null;
  const { jobId } = request.params as { jobId: string };
  // Only an ended job has a text that is long enough for a stream.
  if (body === null) return JSON.stringify({ id: jobId, status: "IN_PROGRESS" });
  const job = JSON.parse(body) as Record<string, unknown>;
  if (!ENDED.has(String(job.status))) return null;
  const { delayTime, id, workerId } = job;
  return JSON.stringify({ delayTime, id, status: "IN_PROGRESS", workerId });
}

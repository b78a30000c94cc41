// Serves a request of the S3 interface: authenticates it, runs its operation, and words every failure as
// S3 does. Signatures are never logged.

import type { IncomingMessage, ServerResponse } from "node:http";
import { randomIds } from "../../base/ids.ts";
import type { Logger } from "../../base/log.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import type { S3Deps } from "../../flows/s3/s3-deps.ts";
import type { Listeners } from "../http/listener.ts";
import { allowOrigins, allowRequest, isPreflight } from "../http/request/cross-origin.ts";
import { type OperationName, operationOf, operations } from "./operations.ts";
import { asS3Error } from "./wire/as-s3-error.ts";
import { type Authenticated, authenticate } from "./wire/authenticate.ts";
import { errorXml, sendReply } from "./wire/reply.ts";
import { readRequest, type S3Request } from "./wire/s3-request.ts";

export interface ServeDeps extends S3Deps {
  log: Logger;
}

export interface S3Service extends ServeDeps {
  metrics: ProcessMetrics;
  listeners: Pick<Listeners, "guard">;
  /** The address that is configured for clients; null for the one that a client calls. */
  s3Url: string | null;
  /** How far a client's clock may differ. */
  maxSkewMs: number;
  /** The time that a request, by its method and path, is compared with. */
  timeFor(subject: string): number;
}

/** A request and how its caller is known. */
export interface Arrival {
  message: IncomingMessage;
  response: ServerResponse;
  /** The service's origin, as the client reaches it. */
  origin: string;
  /** The URL as it was sent. */
  url?: string;
  authenticate(request: S3Request): Promise<Authenticated>;
}

/** A request to the interface's own listener. */
export async function serveSigned(
  deps: S3Service,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { clock, metrics, listeners } = deps;
  const began = clock.ticks();
  listeners.guard.watchBody(message, response);
  // A signature is what opens a volume, so a page of any origin may send a request that has one.
  if (message.headers.origin !== undefined) allowOrigins(response);
  if (isPreflight(message)) {
    allowRequest(message.headers, response);
    response.writeHead(204).end();
    return metrics.recordRequest("OPTIONS", "s3 preflight", 204, clock.ticks() - began);
  }
  const name = await serveAuthenticated(deps, {
    message,
    response,
    origin: deps.s3Url ?? originOf(message),
    async authenticate(request) {
      const now = deps.timeFor(`${request.method} ${request.path}`);
      const authenticated = await authenticate(deps, request, { now, maxSkewMs: deps.maxSkewMs });
      listeners.guard.identify(message.socket);
      return authenticated;
    },
  });
  const route = `s3 ${name}`;
  metrics.recordRequest(message.method ?? "", route, response.statusCode, clock.ticks() - began);
}

function originOf({ socket, headers }: IncomingMessage): string {
  return `${"encrypted" in socket ? "https" : "http"}://${headers.host}`;
}

/** Returns the operation that was asked for. */
export async function serveAuthenticated(
  deps: ServeDeps,
  { message, response, origin, url, authenticate: authenticated }: Arrival,
): Promise<OperationName | "none"> {
  const requestId = randomIds.short(16).toUpperCase();
  response.setHeader("x-amz-request-id", requestId);
  let name: OperationName | "none" = "none";
  try {
    const request = readRequest(message, response, url);
    const caller = await authenticated(request);
    name = operationOf(request);
    const { bucket } = request;
    const call = { deps, request, origin, authenticated: caller, by: caller.key, bucket };
    await sendReply(
      { clock: deps.clock, access: caller.access, log: deps.log, operation: name },
      request,
      await operations[name](call),
    );
  } catch (error) {
    await refuse(deps, { message, response, requestId, name }, error);
  }
  return name;
}

interface Refused {
  message: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  name: string;
}

async function refuse(
  deps: ServeDeps,
  { message, response, requestId, name }: Refused,
  error: unknown,
): Promise<void> {
  // The client left, or part of the reply is sent: all that is left to do is to end the connection.
  if (response.headersSent || message.socket.destroyed) return void response.destroy();
  const known = asS3Error(error, { log: deps.log, operation: name });
  const [resource = ""] = (message.url ?? "").split("?");
  if (!message.complete) response.setHeader("connection", "close");
  const body = errorXml(known.code, known.message, resource, requestId);
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
  const length = Buffer.byteLength(text);
  response.writeHead(known.status, { "content-type": "application/xml", "content-length": length });
  response.end(message.method === "HEAD" ? undefined : text);
}

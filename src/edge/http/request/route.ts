// A request and its response as the routes of jobs and workers see them: Fastify's own objects, or those of a plain
// connection. One handler serves both.

import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { FastifyContextConfig } from "fastify";
import type { TracedRequest } from "../../../domain/trace/request-span.ts";
import type { Principal } from "../../../flows/auth-cache.ts";
import type { HeldBytes } from "./body-room.ts";

export interface RouteRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The values of the path's parameters, by name. */
  readonly params: unknown;
  /** Strings, and arrays of strings for repeated names. */
  readonly query: unknown;
  readonly routeOptions: {
    /** The pattern of the path. */
    readonly url?: string | undefined;
    readonly config: FastifyContextConfig;
  };
  readonly log: { error(fields: object, message: string): void };
  readonly raw: { readonly socket: Socket };
  body: unknown;
  principal: Principal | null;
  bearer: boolean;
  heldBytes: HeldBytes | null;
  isHandled: boolean;
  traced: TracedRequest | null;
}

export interface RouteReply {
  readonly raw: ClosingResponse;
  readonly statusCode: number;
  /** Since the request arrived, in ms. */
  readonly elapsedTime: number;
  code(status: number): RouteReply;
  header(name: string, value: string | number): RouteReply;
  headers(headers: Readonly<Record<string, string>>): RouteReply;
  type(contentType: string): RouteReply;
  send(payload?: string | Readable): RouteReply;
}

/** What is known of the end of a response. */
export interface ClosingResponse {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  readonly socket: Socket | null;
  once(event: "close", listener: () => void): unknown;
}

/** Returns the reply that it has sent, or the value to send as JSON. */
export type RouteHandler = (request: RouteRequest, reply: RouteReply) => Promise<unknown>;

/** Throws to refuse a request before its body is read. */
export type BodyPrecondition = (
  request: RouteRequest,
  reply: RouteReply,
) => Promise<void> | undefined;

/** Answers a request whose handler or precondition has thrown, or throws what it does not answer. */
export type RouteRefusal = (
  error: unknown,
  request: RouteRequest,
  reply: RouteReply,
) => Promise<unknown>;

export interface Route {
  method: "GET" | "POST";
  /** The path with its parameters as ":name". */
  path: string;
  config: FastifyContextConfig;
  handler: RouteHandler;
}

// Request bodies as raw bytes: validated as JSON while they arrive, with their top-level members
// located but not parsed. A worker gets its input exactly as the client wrote it.

import type { FastifyInstance } from "fastify";
import { JsonFault } from "../../../base/json/fault.ts";
import type { KeyTable } from "../../../base/json/keys.ts";
import type { Scanned } from "../../../base/json/outline.ts";
import { JsonScanner } from "../../../base/json/scanner.ts";
import { capitalize } from "../../../base/text/capitalize.ts";
import { Fault } from "../../../domain/fault.ts";
import { limits } from "../../../domain/protocol.ts";
import type { RouteRequest } from "../request/route.ts";
import {
  type BodyReader,
  type BodyRooms,
  type BodySource,
  receiveBody,
  type TooLarge,
  tooLarge,
} from "./receive.ts";

export interface RawBody {
  scanned: Scanned;
  /** Frees the memory of the body. */
  drop(): void;
}

export interface RawBodyOptions {
  keys: KeyTable;
  /** Whether NaN and Infinity, which Python's encoder writes, are read as null. */
  lenient: boolean;
  rooms: BodyRooms;
}

/** Parses every body of a Fastify scope as a RawBody, whatever its content type. */
export function addRawBodyParser(app: FastifyInstance, options: RawBodyOptions): void {
  const { rooms } = options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, payload, done) => {
    receiveBody(request, payload, { rooms, reader: rawReader(options) }, done);
  });
}

/** Reads the body of a request that Fastify has not parsed. */
export function readRawBody(
  request: RouteRequest,
  payload: BodySource,
  options: RawBodyOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    receiveBody(request, payload, { ...options, reader: rawReader(options) }, (error, body) => {
      if (error) return reject(error);
      request.body = body;
      resolve();
    });
    payload.resume();
  });
}

/** The request's body. Throws a fault if it is empty or over the limit. */
export function rawBody(request: RouteRequest): RawBody {
  const body = request.body as RawBody | TooLarge | undefined;
  if (!body) throw new Fault("invalid_json", { detail: "The body is not valid JSON: it is empty" });
  if ("tooLarge" in body) throw tooLarge(request);
  return body;
}

function rawReader(options: RawBodyOptions): BodyReader<RawBody> {
  const scanner = new JsonScanner({ ...options, maxDepth: limits.depth });
  return {
    feed: (chunk) => withFaults(() => scanner.feed(chunk)),
    end() {
      const scanned = withFaults(() => scanner.end());
      return { scanned, drop: () => scanned.body.drop() };
    },
  };
}

function withFaults<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw asFault(error);
  }
}

function asFault(error: unknown): Error {
  if (!(error instanceof JsonFault)) return error as Error;
  if (error.code === "too_deep") return new Fault("too_deep", { limit: limits.depth });
  const detail = capitalize(error.message);
  return new Fault("invalid_json", { detail });
}

// Reads a body as the bytes it is: checked as JSON while it arrives, its top-level members found,
// nothing parsed. What a client wrote as its input is what a worker gets, to the byte.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { JsonFault } from "../../base/json/fault.ts";
import type { KeyTable } from "../../base/json/keys.ts";
import type { Scanned } from "../../base/json/outline.ts";
import { JsonScanner } from "../../base/json/scanner.ts";
import { Fault } from "../../domain/fault.ts";
import { limits } from "../../domain/protocol.ts";
import type { BodiesInFlight } from "./in-flight.ts";

export interface RawBody {
  scanned: Scanned;
}

/** A body over its route's limit: read to its end, thrown away, its size known. */
export interface TooLarge {
  tooLarge: number;
}

export interface RawBodyOptions {
  keys: KeyTable;
  /** Python's encoder writes NaN and Infinity: read them as null. */
  lenient: boolean;
  inFlight: BodiesInFlight;
}

declare module "fastify" {
  interface FastifyContextConfig {
    bodyBytes?: number;
  }
}

/** A body that announces more than this is refused unread; reading it out would help nobody. */
const READ_OUT_BYTES = 128 * 1_048_576;

/** A body of more than this in one go lets other requests have their turn before it is read on. */
const BYTES_IN_ONE_GO = 256 * 1024;

/** Makes every body of an encapsulated part of the server a RawBody, whatever its content type. */
export function takeRawBodies(app: FastifyInstance, options: RawBodyOptions): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, payload, done) => {
    const announced = Number(request.headers["content-length"] ?? Number.NaN);
    const limit = request.routeOptions.config.bodyBytes ?? limits.bodyBytes;
    if (announced > READ_OUT_BYTES) return done(tooLarge(limit));
    const release = options.inFlight.admit(Number.isNaN(announced) ? limit : announced);
    if (!release) {
      payload.resume();
      return done(new Fault("too_busy"));
    }
    request.raw.once("close", release);
    collect(payload, limit, options, done);
  });
}

/** The body, or the fault if there is none or it was over the limit. */
export function rawBody(request: FastifyRequest): RawBody {
  const body = request.body as RawBody | TooLarge | undefined;
  if (!body) throw new Fault("invalid_json", { detail: "The body is not valid JSON: it is empty" });
  if ("tooLarge" in body) throw tooLarge(request.routeOptions.config.bodyBytes ?? limits.bodyBytes);
  return body;
}

function tooLarge(limit: number): Fault {
  return new Fault("payload_too_large", { limit });
}

function collect(
  payload: NodeJS.ReadableStream,
  limit: number,
  options: RawBodyOptions,
  done: (error: Error | null, body?: RawBody | TooLarge) => void,
): void {
  const scanner = new JsonScanner({ ...options, maxDepth: limits.depth });
  let bytes = 0;
  let fault: Error | null = null;
  let goEnds = BYTES_IN_ONE_GO;
  payload.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= goEnds) {
      goEnds = bytes + BYTES_IN_ONE_GO;
      payload.pause();
      setImmediate(() => payload.resume());
    }
    if (fault || bytes > limit) return;
    try {
      scanner.feed(chunk);
    } catch (error) {
      fault = asFault(error);
    }
  });
  // The sender has gone or writes nonsense; there may be nobody left to read the answer.
  payload.on("error", () => done(new Fault("invalid_http", { detail: "its body broke off" })));
  payload.on("end", () => {
    // Clients that name a content type and send nothing have sent no body.
    if (bytes === 0) return done(null);
    if (bytes > limit) return done(null, { tooLarge: bytes });
    if (fault) return done(fault);
    try {
      done(null, { scanned: scanner.end() });
    } catch (error) {
      done(asFault(error));
    }
  });
}

function asFault(error: unknown): Error {
  if (!(error instanceof JsonFault)) return error as Error;
  if (error.code === "too_deep") return new Fault("too_deep", { limit: limits.depth });
  const detail = `${error.message[0]!.toUpperCase()}${error.message.slice(1)}`;
  return new Fault("invalid_json", { detail });
}

// One request to a Pod, and its answer back: as they come, in both directions no faster than they are
// taken, for as long as either takes. Who goes away on one side is gone on the other.

import {
  type Agent,
  request as ask,
  type ClientRequest,
  type IncomingMessage,
  type InformationEvent,
  type OutgoingMessage,
  type ServerResponse,
} from "node:http";
import type { Unreached } from "../../domain/pod/unreached.ts";
import { requestHeaders, responseHeaders } from "./headers.ts";
import type { Lane } from "./lane.ts";
import type { Visit } from "./visit.ts";

/** May be asked twice without doing anything twice. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Of all others Node takes for granted that they have a body. */
const USUALLY_WITHOUT_BODY = new Set([...REPEATABLE, "DELETE", "TRACE"]);

export function forward(
  lane: Lane,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: (why: Unreached) => void,
): void {
  const { rawHeaders } = request;
  const method = request.method!;
  const withBody = hasBody(request);
  const headers = requestHeaders(rawHeaders, visit);
  if (!withBody && !USUALLY_WITHOUT_BODY.has(method) && !hasLength(request)) {
    headers.push("Content-Length", "0");
  }
  const repeatable = !withBody && REPEATABLE.has(method);
  let passed: ClientRequest;
  const pass = (agent: Agent, mayBeClosed: boolean) => {
    let answered = false;
    passed = ask({ agent, method, path: visit.path, headers });
    passed.on("response", (answer) => {
      answered = true;
      passBack(answer, visit, response);
    });
    passed.on("information", (news) => passNews(news, request, response));
    passed.on("error", (error: NodeJS.ErrnoException) => {
      // What is left of the request would stand before the next one on its connection.
      if (withBody) request.removeAllListeners("data").resume();
      if (answered || response.destroyed) return;
      if (mayBeClosed && passed.reusedSocket && isCut(error)) pass(lane.fresh, false);
      else refuse(whyOf(error));
    });
    if (withBody) passBody(request, passed);
    else passed.end();
  };
  response.once("close", () => {
    if (!response.writableFinished) passed.destroy();
  });
  pass(repeatable ? lane.kept : lane.fresh, repeatable);
}

/** Also the answer to a request that was to be upgraded, and was not. */
export function passBack(answer: IncomingMessage, visit: Visit, response: ServerResponse): void {
  if (response.destroyed) return void answer.destroy();
  try {
    const headers = responseHeaders(answer.rawHeaders, visit);
    response.writeHead(answer.statusCode!, answer.statusMessage, headers);
  } catch {
    // What cannot be said again, such as announced trailers of a body that is not in chunks.
    answer.destroy();
    return void response.destroy();
  }
  answer.on("error", () => response.destroy());
  let begun = false;
  answer.once("data", () => {
    begun = true;
  });
  passBody(answer, response);
  // The head goes with the first piece of the body, but waits for none that takes its time.
  setImmediate(() => {
    if (!begun && !response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}

function passBody(from: IncomingMessage, to: OutgoingMessage): void {
  from.on("data", (piece) => {
    if (!to.write(piece)) from.pause();
  });
  to.on("drain", () => from.resume());
  from.on("end", () => {
    if (from.rawTrailers.length > 0) to.addTrailers(pairs(from.rawTrailers));
    to.end();
  });
}

const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, n) => [raw[2 * n]!, raw[2 * n + 1]!]);

/** 100 only to whoever waits for it; everything else as it comes. */
function passNews(
  { statusCode, rawHeaders }: InformationEvent,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (response.headersSent || response.destroyed || request.httpVersion !== "1.1") return;
  if (statusCode !== 100) response.writeInformation?.(statusCode, rawHeaders);
  else if (request.headers.expect !== undefined) response.writeContinue();
}

const isCut = ({ code }: NodeJS.ErrnoException) => code === "ECONNRESET" || code === "EPIPE";

/** NotReached says it itself. */
export function whyOf(error: NodeJS.ErrnoException & { why?: Unreached }): Unreached {
  if (error.why !== undefined) return error.why;
  return error.code?.startsWith("HPE_") ? "no_http" : "broken";
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

const hasLength = ({ headers }: IncomingMessage) => headers["content-length"] !== undefined;

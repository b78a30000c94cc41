// One request to a Pod, and its answer back: as they come, in both directions no faster than they are
// taken, for as long as either takes. Who goes away on one side is gone on the other.

import {
  request as ask,
  type IncomingMessage,
  type OutgoingMessage,
  type ServerResponse,
} from "node:http";
import type { Unreached } from "../../domain/pod/unreached.ts";
import { pairs, requestHeaders, responseHeaders } from "./headers.ts";
import type { Asked } from "./kept-connections.ts";
import type { Lane } from "./lane.ts";
import { passNews } from "./news.ts";
import { passAgain } from "./pass-again.ts";
import type { Visit } from "./visit.ts";
import { whyOf } from "./why-of.ts";

/** May be asked twice without doing anything twice. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Of all others Node takes for granted that they have a body. */
const USUALLY_WITHOUT_BODY = new Set([...REPEATABLE, "DELETE", "TRACE"]);

type Refuse = (why: Unreached) => void;

export function forward(
  lane: Lane,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
): void {
  const { rawHeaders } = request;
  const method = request.method!;
  const withBody = hasBody(request);
  const headers = requestHeaders(rawHeaders, visit);
  if (!withBody && !USUALLY_WITHOUT_BODY.has(method) && !hasLength(request)) {
    headers.push("Content-Length", "0");
  }
  const asked = { method, path: visit.path, headers };
  const passAlone = () => pass(lane, asked, visit, request, response, refuse);
  if (!withBody && REPEATABLE.has(method) && isPlain(request, visit)) {
    passAgain(lane.kept, asked, visit, response, refuse, passAlone);
  } else {
    passAlone();
  }
}

/** What the client of kept connections can say. */
const isPlain = ({ headers: { host, expect } }: IncomingMessage, { path }: Visit) =>
  host !== undefined && expect === undefined && path.startsWith("/");

/** On a connection of its own. */
function pass(
  lane: Lane,
  asked: Asked,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
): void {
  const withBody = hasBody(request);
  let answered = false;
  const passed = ask({ agent: lane.fresh, ...asked });
  passed.on("response", (answer) => {
    answered = true;
    passBack(answer, visit, response);
  });
  passed.on("information", (news) => passNews(news.statusCode, news.rawHeaders, response));
  passed.on("error", (error: NodeJS.ErrnoException) => {
    // What is left of the request would stand before the next one on its connection.
    if (withBody) request.removeAllListeners("data").resume();
    if (!answered && !response.destroyed) refuse(whyOf(error));
  });
  response.once("close", () => {
    if (!response.writableFinished) passed.destroy();
  });
  if (withBody) passBody(request, passed);
  else passed.end();
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

const hasLength = ({ headers }: IncomingMessage) => headers["content-length"] !== undefined;

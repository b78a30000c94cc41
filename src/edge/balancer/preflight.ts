// Preflights: a browser's question before a request from another origin, which carries no key. Anyone can send
// one, so it reaches a worker with the headers of its question alone, and starts no worker.

import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";
import {
  PREFLIGHT_HEADERS,
  PREFLIGHT_METHOD,
  preflightAnswer,
} from "../http/request/cross-origin.ts";

const PASSED_ON = new Set([
  "host",
  "origin",
  PREFLIGHT_METHOD,
  PREFLIGHT_HEADERS,
  "access-control-request-private-network",
  "access-control-request-local-network",
]);

/** The question alone, without a body. */
export function questionOf(request: InboundRequest): InboundRequest {
  const { method, url, httpVersion, headers, rawHeaders, socket } = request;
  request.resume();
  return {
    method,
    url,
    httpVersion,
    socket,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => PASSED_ON.has(name))),
    rawHeaders: rawHeaders.filter((_, n) => PASSED_ON.has(rawHeaders[n - (n % 2)]!.toLowerCase())),
    rawTrailers: [],
    read: () => null,
    pause() {},
    resume() {},
    on() {},
  };
}

/**
 * Allows what is asked. The answer is the same whether the endpoint exists or not, and lets a page call an endpoint
 * that has scaled to zero.
 */
export function answerPreflight(request: InboundRequest, response: ResponseWriter): void {
  request.resume();
  if (response.headersSent || response.destroyed) return void response.destroy();
  const headers = preflightAnswer(request.headers).flat();
  response.writeHead(204, "No Content", [...headers, "cache-control", "no-store"]);
  response.end();
}

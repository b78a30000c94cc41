// Preflights: a browser's question before a request from another origin, which carries no key. Anyone can send
// one, so it reaches a worker with the headers of its question alone, and starts no worker.

import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";

const METHOD = "access-control-request-method";
const HEADERS = "access-control-request-headers";
const PASSED_ON = new Set([
  ...["host", "origin", METHOD, HEADERS],
  ...["access-control-request-private-network", "access-control-request-local-network"],
]);

/** Names of headers and methods, with the commas between them. */
const NAMES = /^[\w!#$%&'*+.^`|~, -]+$/;

export const isPreflight = ({ method, headers }: InboundRequest) =>
  method === "OPTIONS" &&
  headers[METHOD] !== undefined &&
  headers.authorization === undefined &&
  headers.upgrade === undefined;

/** The question alone, without a body. */
export function questionOf(request: InboundRequest): InboundRequest {
  const { method, url, httpVersion, headers, rawHeaders, socket } = request;
  request.resume();
  return {
    ...{ method, url, httpVersion, socket },
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
 * Allows what is asked, as the request itself needs a key. The answer is the same whether the endpoint exists
 * or not, and lets a page call an endpoint that has scaled to zero.
 */
export function answerPreflight(request: InboundRequest, response: ResponseWriter): void {
  request.resume();
  if (response.headersSent || response.destroyed) return void response.destroy();
  const { [METHOD]: method, [HEADERS]: names } = request.headers;
  const allowed = [
    ["access-control-allow-origin", "*"],
    ["access-control-allow-methods", method],
    ["access-control-allow-headers", names],
  ] as const;
  const headers = allowed.flatMap(([name, value]) =>
    typeof value === "string" && NAMES.test(value) ? [name, value] : [],
  );
  response.writeHead(204, "No Content", [...headers, "cache-control", "no-store"]);
  response.end();
}

// Requests of pages of other origins. The interfaces let any page call them with a key that it has, as the hosted service
// does. That leads to no session: a browser sends its cookie only from pages of this service, and shows a page no
// answer that depends on one.

import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { isForwarding } from "../../../flows/local-trust.ts";

export const PREFLIGHT_METHOD = "access-control-request-method";
export const PREFLIGHT_HEADERS = "access-control-request-headers";

/** Two hours, the longest that every browser accepts: a client that polls asks once. */
const MAX_AGE_S = 7_200;

/** REST, GraphQL, the queue and files of volumes. Pages, probes and metrics are for no other origin. */
const INTERFACE_PATH = /^\/(?:v1|v2|graphql|s3)(?:[/?]|$)/;

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether a browser asks if it may send a request. */
export const isPreflight = ({
  method,
  headers,
}: {
  readonly method?: string | undefined;
  readonly headers: Readonly<IncomingHttpHeaders>;
}) =>
  method === "OPTIONS" &&
  headers[PREFLIGHT_METHOD] !== undefined &&
  headers.authorization === undefined &&
  headers.upgrade === undefined;

/**
 * Allows what is asked, as the request itself needs a key, but no header by which a page would pass for a reverse
 * proxy.
 */
export function preflightAnswer(headers: IncomingHttpHeaders): [name: string, value: string][] {
  const { [PREFLIGHT_METHOD]: method, [PREFLIGHT_HEADERS]: names = "" } = headers;
  const allowed = [names]
    .flat()
    .flatMap((list) => list.split(","))
    .map((name) => name.trim())
    .filter((name) => TOKEN.test(name) && !isForwarding(name.toLowerCase()));
  const answer: [string, string][] = [["access-control-allow-origin", "*"]];
  if (typeof method === "string" && TOKEN.test(method))
    answer.push(["access-control-allow-methods", method]);
  if (allowed.length > 0) answer.push(["access-control-allow-headers", allowed.join(", ")]);
  return answer;
}

/** Whether the request is for an interface that pages of any origin may call. */
export const isForAnyOrigin = (url: string) => INTERFACE_PATH.test(url);

/** A page of any origin reads an answer with these headers. */
export const READABLE_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
} as const;

/** Set on Node's response, so that a stream which a route writes there has them too. */
export function allowOrigins(response: ServerResponse): void {
  for (const header of Object.entries(READABLE_HEADERS)) response.setHeader(...header);
}

/** Answers a preflight alike with a route and without one, so that the page reads the refusal of its request. */
export function allowRequest(headers: IncomingHttpHeaders, response: ServerResponse): void {
  for (const header of preflightAnswer(headers)) response.setHeader(...header);
  response.setHeader("access-control-max-age", MAX_AGE_S);
}

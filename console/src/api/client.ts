// The client of the service, typed by its OpenAPI documents. Reads are queries that change events make stale;
// a failed write has an error code of docs/errors.md.

import createFetchClient from "openapi-fetch";
import createClient from "openapi-react-query";
import type { components, paths } from "../../generated/openapi";
import type { components as componentsV2, paths as pathsV2 } from "../../generated/openapi-v2";
import { ExactResponse, formatJson } from "../exact-json.ts";
import { readServiceClock } from "../service-clock.ts";
import { retryingFetch } from "./retrying-fetch.ts";
import { notifySessionExpired } from "./session-expiry.ts";

/** The operations of REST v1 and v2, which share no path. */
export type Paths = paths & pathsV2;

type SchemaV1 = components["schemas"];
export type SchemaV2 = componentsV2["schemas"];
/** Where both have a schema of a name, it is that of v1. */
export type Schema = SchemaV1 & Omit<SchemaV2, keyof SchemaV1>;

export const service = createFetchClient<Paths>({
  fetch: (request) => retryingFetch(request),
  bodySerializer: (body) => formatJson(body, 0),
});

service.use({
  async onResponse({ response, request }) {
    readServiceClock(response);
    const signingIn =
      request.method === "POST" && /\/v1\/(?:session|password-reset)$/.test(request.url);
    if (response.status === 401 && !signingIn) notifySessionExpired();
    return hasJson(response) ? exactly(response) : undefined;
  },
});

const hasJson = ({ ok, headers }: Response) =>
  ok && /^application\/json\b/.test(headers.get("content-type") ?? "");

async function exactly(response: Response): Promise<Response> {
  const text = await response.text();
  const headers = new Headers(response.headers);
  // The client parses a body of unknown length by itself.
  headers.set("content-length", `${text.length}`);
  return new ExactResponse(text, { status: response.status, headers });
}

export const api = createClient(service);

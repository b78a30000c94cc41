// The client of the service, typed by its OpenAPI document. Reads are queries that change events make stale;
// a failed write has an error code of docs/errors.md.

import createFetchClient from "openapi-fetch";
import createClient from "openapi-react-query";
import type { components, paths } from "../../generated/openapi";
import { retryingFetch } from "./retrying-fetch.ts";
import { notifySessionExpired } from "./session-expiry.ts";

export type Schema = components["schemas"];

export const service = createFetchClient<paths>({ fetch: retryingFetch });

service.use({
  onResponse({ response, request }) {
    const signingIn = request.method === "POST" && request.url.endsWith("/v1/session");
    if (response.status === 401 && !signingIn) notifySessionExpired();
  },
});

export const api = createClient(service);

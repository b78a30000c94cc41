// The service, by its own description. Reads are queries that what changes makes stale; writes refuse
// with a fault of its catalogue.

import createFetchClient from "openapi-fetch";
import createClient from "openapi-react-query";
import type { components, paths } from "../../generated/openapi";
import { patientFetch } from "./patient-fetch.ts";
import { sessionOver } from "./session-over.ts";

export type Schema = components["schemas"];

export const service = createFetchClient<paths>({ fetch: patientFetch });

service.use({
  onResponse({ response, request }) {
    const signingIn = request.method === "POST" && request.url.endsWith("/v1/session");
    if (response.status === 401 && !signingIn) sessionOver();
  },
});

export const api = createClient(service);

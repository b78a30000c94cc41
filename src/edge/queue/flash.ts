// Calls of Flash functions and their jobs: /v2/flash/... names no endpoint in its path. Headers name the app,
// the environment and the endpoint, and the key's account has at most one such endpoint.

import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { FLASH_WORD } from "../../domain/reserved-words.ts";
import { findFlashEndpoint } from "../../flows/flash-app/find-endpoint.ts";
import type { EdgeDeps } from "./deps.ts";

export const isFlashCall = ({ params }: FastifyRequest) =>
  (params as { endpointId?: string }).endpointId === FLASH_WORD;

/** Throws if the account has no such endpoint. A key that is limited to endpoints is refused before. */
export async function flashEndpointOf(deps: EdgeDeps, request: FastifyRequest): Promise<Endpoint> {
  const [app, environment, name] = HEADERS.map((header) => headerOf(request, header)) as Names;
  const { principal } = request;
  const endpoint =
    principal?.kind === "account"
      ? await findFlashEndpoint(deps, principal.key.accountId, { app, environment, name })
      : undefined;
  if (endpoint) return endpoint;
  const id = `"${[app, environment, name].join("/").slice(0, 191)}"`;
  throw new Fault("endpoint_not_found", { id });
}

const HEADERS = ["X-Flash-App", "X-Flash-Environment", "X-Flash-Endpoint"];

type Names = [string, string, string];

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name.toLowerCase()];
  if (typeof value === "string" && value !== "") return value;
  const detail = `A call of a Flash function needs the headers ${HEADERS.join(", ")}; ${name} is missing.`;
  throw new Fault("invalid_body", { detail });
}

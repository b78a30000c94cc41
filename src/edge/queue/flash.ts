// Calls of Flash functions: /v2/flash/run and runsync name no endpoint in their path. Headers name the app,
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
  const { principal, headers } = request;
  const app = text(headers["x-flash-app"]);
  const environment = text(headers["x-flash-environment"]);
  const name = text(headers["x-flash-endpoint"]);
  const endpoint =
    principal?.kind === "account"
      ? await findFlashEndpoint(deps, principal.key.accountId, { app, environment, name })
      : undefined;
  if (endpoint) return endpoint;
  const id = `"${[app, environment, name].join("/").slice(0, 191)}"`;
  throw new Fault("endpoint_not_found", { id });
}

const text = (value: string | string[] | undefined) => (typeof value === "string" ? value : "");

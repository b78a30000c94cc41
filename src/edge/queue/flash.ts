// Calls of Flash functions: /v2/flash/run and runsync name no endpoint in their path. Headers name the app,
// the environment and the endpoint, and the key's account has at most one such endpoint.

import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { findFlashEndpoint } from "../../flows/flash-app/find-endpoint.ts";
import type { EdgeDeps } from "./deps.ts";

/** Stands for the endpoint in a path. */
export const FLASH_PATH = "/v2/flash";

export const isFlashCall = ({ routeOptions: { url } }: FastifyRequest) =>
  url?.startsWith(`${FLASH_PATH}/`) === true;

/** Throws if the account has no such endpoint, or the key may not use it. */
export async function flashEndpointOf(deps: EdgeDeps, request: FastifyRequest): Promise<Endpoint> {
  const { principal, headers } = request;
  const app = text(headers["x-flash-app"]);
  const environment = text(headers["x-flash-environment"]);
  const name = text(headers["x-flash-endpoint"]);
  const id = `"${[app, environment, name].join("/").slice(0, 191)}"`;
  if (principal?.kind !== "account") throw new Fault("endpoint_not_found", { id });
  const { accountId, permissions } = principal.key;
  const endpoint = await findFlashEndpoint(deps, accountId, { app, environment, name });
  if (!endpoint) throw new Fault("endpoint_not_found", { id });
  const only = permissions.endpoints;
  if (only && !only.includes(endpoint.id)) {
    throw new Fault("forbidden", { detail: `This key has no access to endpoint ${endpoint.id}.` });
  }
  return endpoint;
}

const text = (value: string | string[] | undefined) => (typeof value === "string" ? value : "");

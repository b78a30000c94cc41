// Calls of Flash functions and their jobs: /v2/flash/... names no endpoint in its path. Headers name the app,
// the environment and the endpoint, and the key's account has at most one such endpoint.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { FLASH_WORD } from "../../domain/reserved-words.ts";
import { functionNotFound, readFlashEndpoint } from "../../flows/flash-app/find-endpoint.ts";
import type { RouteRequest } from "../http/request/route.ts";
import { flashFunctionOf } from "../management/endpoint/flash-function.ts";
import type { EdgeDeps } from "../management/job/deps.ts";

export const isFlashCall = ({ params }: RouteRequest) =>
  (params as { endpointId?: string }).endpointId === FLASH_WORD;

/** Throws if the account has no such endpoint. A key that is limited to endpoints is refused before. */
export async function flashEndpointOf(deps: EdgeDeps, request: RouteRequest): Promise<Endpoint> {
  const wanted = flashFunctionOf(request.headers);
  const { principal } = request;
  if (principal?.kind !== "account") throw functionNotFound(wanted);
  return readFlashEndpoint(deps, principal.key.accountId, wanted);
}

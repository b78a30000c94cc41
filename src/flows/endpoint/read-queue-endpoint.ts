// The endpoint of a request whose jobs are submitted later, such as a schedule's.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { FlowDeps } from "../flow-deps.ts";

/** Throws for an endpoint that is not there or has no queue. */
export async function readQueueEndpoint(
  { store }: Pick<FlowDeps, "store">,
  accountId: string,
  id: string,
): Promise<Endpoint> {
  const endpoint = await store.read(findEndpoint, id);
  if (endpoint?.accountId !== accountId) throw new Fault("endpoint_not_found", { id });
  if (endpoint.spec.type !== "LB") return endpoint;
  const detail = `Endpoint ${id} serves requests and has no queue; name an endpoint with a queue.`;
  throw new Fault("invalid_body", { detail });
}

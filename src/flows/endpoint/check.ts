// Validation of an endpoint's settings, shared by the flows that save them.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import type { EndpointRequest } from "../../domain/endpoint/endpoint-request.ts";
import { validateEndpoint } from "../../domain/endpoint/validate.ts";
import { Fault } from "../../domain/fault.ts";
import type { RetentionBounds } from "../../domain/job/retention.ts";
import type { PodRules } from "../workload/pod-rules.ts";

export interface EndpointRules extends PodRules {
  catalog: Catalog;
  protocol: RetentionBounds;
}

/** The fault that lists every error of the request, or null. */
export function checkEndpoint(
  { catalog, protocol }: EndpointRules,
  request: EndpointRequest,
  result: EndpointSpec,
): Fault | null {
  const errors = validateEndpoint(catalog, request, result, protocol);
  if (errors.length > 0) return new Fault("invalid_body", { detail: errors.join(" ") });
  return null;
}

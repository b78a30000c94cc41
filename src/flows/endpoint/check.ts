// Validation of an endpoint's settings, shared by the flows that save them.

import { type Catalog, hasGpuType } from "../../domain/catalog/catalog.ts";
import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import type { EndpointRequest } from "../../domain/endpoint/endpoint-request.ts";
import { validateEndpoint } from "../../domain/endpoint/validate.ts";
import { Fault } from "../../domain/fault.ts";
import type { RetentionBounds } from "../../domain/job/retention.ts";
import type { Store } from "../../store/engine/store.ts";
import { readPrices } from "../../store/price-book/lock.ts";
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

/** A GPU type that is unknown here may have got its price on another replica a moment ago. */
export async function readNewGpuTypes(
  { store, catalog }: { store: Store; catalog: Catalog },
  { gpuTypeIds = [] }: EndpointRequest,
): Promise<void> {
  if (gpuTypeIds.some((id) => !hasGpuType(catalog, id))) await store.read(readPrices, catalog);
}

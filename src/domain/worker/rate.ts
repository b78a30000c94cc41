// The hourly cost of a worker, in micro-dollars. Pure.

import type { Catalog } from "../catalog/catalog.ts";
import type { EndpointSpec } from "../endpoint/endpoint.ts";
import type { Placed } from "../placement/decide.ts";
import { flavorOf } from "./placement-request.ts";

/** The cost of its GPUs, or of the vCPUs that its endpoint requests. */
export function workerRate(
  catalog: Catalog,
  spec: EndpointSpec,
  { gpuTypeId, gpuIndices }: Pick<Placed, "gpuTypeId" | "gpuIndices">,
): number {
  return workerRateOn(catalog, spec, gpuTypeId, gpuIndices.length);
}

/** The cost of a number of GPUs of a type. */
export function workerRateOn(
  catalog: Catalog,
  spec: EndpointSpec,
  gpuTypeId: string | null,
  gpuCount: number,
): number {
  if (spec.computeType === "CPU")
    return spec.vcpuCount * (flavorOf(catalog, spec)?.pricePerVcpu ?? 0);
  const type = catalog.gpuTypes.find(({ id }) => id === gpuTypeId);
  return gpuCount * (type?.prices.serverless ?? 0);
}

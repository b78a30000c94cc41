// What a worker costs per hour, in micro-dollars. Pure.

import type { Catalog } from "../catalog/catalog.ts";
import type { EndpointSpec } from "../endpoint/endpoint.ts";
import type { Placed } from "../placement/decide.ts";
import { flavorOf } from "./wish.ts";

/** By the GPUs it was given; on CPUs, by as many as its endpoint asks for. */
export function workerRate(
  catalog: Catalog,
  spec: EndpointSpec,
  { gpuTypeId, gpuIndices }: Pick<Placed, "gpuTypeId" | "gpuIndices">,
): number {
  return workerRateOn(catalog, spec, gpuTypeId, gpuIndices.length);
}

/** The same on so many GPUs of a type, wherever they are. */
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

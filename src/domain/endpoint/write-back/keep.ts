// What a change of an endpoint keeps where its interface shows a setting in a coarser form than it is stored.
// Clients write back what they read, which must not change the endpoint. Pure.

import { isDeepStrictEqual } from "node:util";
import { type Catalog, idsOf, workerFlavors } from "../../catalog/catalog.ts";
import { poolsOf } from "../../catalog/gpu-ids.ts";
import type { EndpointSpec } from "../endpoint.ts";
import type { EndpointRequest } from "../endpoint-request.ts";

/** The whole number that stands for a scaler value where fractions cannot be written. */
export function wholeScalerValue(scalerValue: number): number {
  return Math.max(1, Math.round(scalerValue));
}

/** Keeps the fraction of a scaler value that the request repeats as a whole number. */
export function keepFraction<Request extends EndpointRequest>(
  request: Request,
  before: EndpointSpec,
): Request {
  const { scalerType = before.scalerType, scalerValue } = request;
  const isRepeated = scalerValue === wholeScalerValue(before.scalerValue);
  return isRepeated && scalerType === before.scalerType
    ? { ...request, scalerValue: before.scalerValue }
    : request;
}

/** Keeps the order of GPU types that the request repeats by their pools. An empty list is every pool. */
export function keepGpuOrder<Request extends EndpointRequest>(
  catalog: Catalog,
  request: Request,
  { gpuTypeIds: before }: EndpointSpec,
): Request {
  if (request.gpuTypeIds === undefined) return request;
  const meant = before.length > 0 ? before : poolsOf(catalog).flatMap((pool) => pool.gpuTypeIds);
  return isSameSet(request.gpuTypeIds, meant) ? { ...request, gpuTypeIds: before } : request;
}

/** Keeps "any data center" and "any CPU flavor" where the request repeats all of them. */
export function keepAny<Request extends EndpointRequest>(
  catalog: Catalog,
  request: Request,
  before: EndpointSpec,
): Request {
  const any = {
    dataCenterIds: idsOf(catalog.dataCenters),
    cpuFlavorIds: idsOf(workerFlavors(catalog)),
  };
  const repeated = (["dataCenterIds", "cpuFlavorIds"] as const).filter(
    (name) => before[name].length === 0 && isDeepStrictEqual(request[name], any[name]),
  );
  return { ...request, ...Object.fromEntries(repeated.map((name) => [name, []])) };
}

/** An endpoint on CPUs is shown without GPUs, so a request that repeats that keeps what is stored. */
export function keepGpus<Request extends EndpointRequest>(
  request: Request,
  { computeType, gpuTypeIds, gpuCount }: EndpointSpec,
): Request {
  if (computeType !== "CPU") return request;
  return {
    ...request,
    ...(request.gpuTypeIds?.length === 0 && { gpuTypeIds }),
    ...(request.gpuCount === 0 && { gpuCount }),
  };
}

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((each) => b.includes(each));

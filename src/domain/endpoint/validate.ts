// The validation of an endpoint's settings beyond the schema.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import { cudaVersionErrors } from "../catalog/cuda-version.ts";
import { unknownGpuTypes, unknownNames } from "../catalog/unknown-names.ts";
import { type RetentionBounds, retentionErrors } from "../job/retention.ts";
import { referenceErrors } from "../model/reference.ts";
import type { EndpointSpec } from "./endpoint.ts";
import type { EndpointRequest } from "./endpoint-request.ts";

/** A sentence for each error in the request, given the resulting settings. */
export function validateEndpoint(
  catalog: Catalog,
  request: EndpointRequest,
  result: EndpointSpec,
  retention: RetentionBounds,
): string[] {
  const { dataCenters, cpuFlavors } = catalog;
  const { minCudaVersion } = request;
  const flavors = cpuFlavors.filter(({ serverless }) => serverless);
  return [
    ...unknownGpuTypes("gpuTypeIds", request.gpuTypeIds, catalog),
    ...unknownNames("dataCenterIds", request.dataCenterIds, idsOf(dataCenters), "a data center"),
    ...unknownNames(
      "cpuFlavorIds",
      request.cpuFlavorIds,
      idsOf(flavors),
      "a CPU flavor of endpoints",
    ),
    ...cudaVersionErrors("allowedCudaVersions", request.allowedCudaVersions, catalog),
    ...cudaVersionErrors("minCudaVersion", minCudaVersion ? [minCudaVersion] : [], catalog),
    ...referenceErrors("modelReferences", request.modelReferences ?? []),
    ...bounds(result),
    ...unsuited(request, result),
    ...retentionErrors(retention, request),
  ];
}

/** A load-balancing endpoint has no jobs whose results could be kept. */
function unsuited(request: EndpointRequest, { type }: EndpointSpec): string[] {
  if (request.type !== undefined && request.type !== type) {
    return [
      `"type" is ${request.type}, but the endpoint's type is ${type} and cannot be changed: create another endpoint.`,
    ];
  }
  if (type !== "LB") return [];
  const fields = [
    "resultRetentionMs",
    "failureRetentionMs",
    "deadLetterRetentionMs",
    "retryPolicy",
  ] as const;
  return fields
    .filter((field) => (request[field] ?? 0) !== 0)
    .map((field) => `"${field}" is for queues; a load-balancing endpoint has no jobs.`);
}

function bounds({ workersMin, workersMax }: EndpointSpec): string[] {
  if (workersMin <= workersMax) return [];
  return [`"workersMin" is ${workersMin} and must not be more than "workersMax", ${workersMax}.`];
}

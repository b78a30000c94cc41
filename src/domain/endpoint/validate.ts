// The validation of an endpoint's settings beyond the schema.

import { type Catalog, idsOf, workerFlavors } from "../catalog/catalog.ts";
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
  const { dataCenters } = catalog;
  const { minCudaVersion } = request;
  return [
    ...unknownGpuTypes("gpuTypeIds", request.gpuTypeIds, catalog),
    ...unknownNames("dataCenterIds", request.dataCenterIds, idsOf(dataCenters), "a data center"),
    ...unknownNames(
      "cpuFlavorIds",
      request.cpuFlavorIds,
      idsOf(workerFlavors(catalog)),
      "a CPU flavor of endpoints",
    ),
    ...cudaVersionErrors("allowedCudaVersions", request.allowedCudaVersions, catalog),
    ...cudaVersionErrors("minCudaVersion", minCudaVersion ? [minCudaVersion] : [], catalog),
    ...referenceErrors(request.modelReferences ?? []),
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

function bounds({ computeType, gpuCount, workersMin, workersMax }: EndpointSpec): string[] {
  const errors: string[] = [];
  if (computeType === "GPU" && gpuCount === 0)
    errors.push('"gpuCount" must be a whole number from 1 up; it is 0.');
  if (workersMin > workersMax)
    errors.push(
      `"workersMin" is ${workersMin} and must not be more than "workersMax", ${workersMax}.`,
    );
  return errors;
}

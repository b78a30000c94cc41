// The validation of an endpoint's settings beyond the schema.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import { unknownGpuTypes, unknownNames } from "../catalog/unknown-names.ts";
import { type RetentionBounds, retentionErrors } from "../job/retention.ts";
import type { EndpointSpec } from "./endpoint.ts";
import type { EndpointRequest } from "./endpoint-request.ts";

/** A sentence for each error in the request, given the resulting settings. */
export function validateEndpoint(
  catalog: Catalog,
  request: EndpointRequest,
  result: EndpointSpec,
  retention: RetentionBounds,
): string[] {
  const { dataCenters, cpuFlavors, cudaVersions } = catalog;
  const { minCudaVersion } = request;
  const flavors = cpuFlavors.filter(({ serverless }) => serverless);
  const cuda = "a CUDA version we know";
  return [
    ...unknownGpuTypes("gpuTypeIds", request.gpuTypeIds, catalog),
    ...unknownNames("dataCenterIds", request.dataCenterIds, idsOf(dataCenters), "a data center"),
    ...unknownNames(
      "cpuFlavorIds",
      request.cpuFlavorIds,
      idsOf(flavors),
      "a CPU flavor of endpoints",
    ),
    ...unknownNames("allowedCudaVersions", request.allowedCudaVersions, cudaVersions, cuda),
    ...unknownNames("minCudaVersion", minCudaVersion ? [minCudaVersion] : [], cudaVersions, cuda),
    ...bounds(result),
    ...retentionErrors(retention, request),
  ];
}

function bounds({ workersMin, workersMax }: EndpointSpec): string[] {
  if (workersMin <= workersMax) return [];
  return [`"workersMin" is ${workersMin} and must not be more than "workersMax", ${workersMax}.`];
}

// What is wrong with an endpoint's settings beyond the form of its fields.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import { strangers } from "../catalog/strangers.ts";
import type { EndpointSpec } from "./endpoint.ts";
import type { EndpointWishes } from "./wishes.ts";

/** Everything wrong with what was wished, given the settings that would result; a sentence each. */
export function endpointMistakes(
  { gpuTypes, dataCenters, cpuFlavors, cudaVersions }: Catalog,
  wishes: EndpointWishes,
  result: EndpointSpec,
): string[] {
  const { minCudaVersion } = wishes;
  const flavors = cpuFlavors.filter(({ serverless }) => serverless);
  const cuda = "a CUDA version we know";
  return [
    ...strangers("gpuTypeIds", wishes.gpuTypeIds, idsOf(gpuTypes), "a GPU type"),
    ...strangers("dataCenterIds", wishes.dataCenterIds, idsOf(dataCenters), "a data center"),
    ...strangers("cpuFlavorIds", wishes.cpuFlavorIds, idsOf(flavors), "a CPU flavor of endpoints"),
    ...strangers("allowedCudaVersions", wishes.allowedCudaVersions, cudaVersions, cuda),
    ...strangers("minCudaVersion", minCudaVersion ? [minCudaVersion] : [], cudaVersions, cuda),
    ...bounds(result),
  ];
}

function bounds({ workersMin, workersMax }: EndpointSpec): string[] {
  if (workersMin <= workersMax) return [];
  return [`"workersMin" is ${workersMin} and must not be more than "workersMax", ${workersMax}.`];
}

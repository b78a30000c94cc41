// What is wrong with an endpoint's settings beyond the form of its fields.

import { nearest } from "../../base/nearest.ts";
import { endpointCpuFlavors } from "../catalog/cpu-flavors.ts";
import { cudaVersions } from "../catalog/cuda-versions.ts";
import { dataCenterIds } from "../catalog/data-centers.ts";
import { gpuTypeIds } from "../catalog/gpu-types.ts";
import type { EndpointSpec } from "./endpoint.ts";
import type { EndpointWishes } from "./wishes.ts";

/** Everything wrong with what was wished, given the settings that would result; a sentence each. */
export function endpointMistakes(wishes: EndpointWishes, result: EndpointSpec): string[] {
  const { minCudaVersion } = wishes;
  return [
    ...strangers("gpuTypeIds", wishes.gpuTypeIds, gpuTypeIds, "a GPU type"),
    ...strangers("dataCenterIds", wishes.dataCenterIds, dataCenterIds, "a data center"),
    ...strangers(
      "cpuFlavorIds",
      wishes.cpuFlavorIds,
      Object.keys(endpointCpuFlavors),
      "a CPU flavor of endpoints",
    ),
    ...strangers(
      "allowedCudaVersions",
      wishes.allowedCudaVersions,
      cudaVersions,
      "a CUDA version we know",
    ),
    ...strangers(
      "minCudaVersion",
      minCudaVersion ? [minCudaVersion] : [],
      cudaVersions,
      "a CUDA version we know",
    ),
    ...bounds(result),
  ];
}

/** As many candidates as a sentence can carry. */
const FEW = 12;

function strangers(
  field: string,
  given: string[] | undefined,
  known: readonly string[],
  kind: string,
): string[] {
  return (given ?? [])
    .filter((id) => !known.includes(id))
    .slice(0, FEW)
    .map((id) => {
      const meant = nearest(id, known);
      const hint = meant
        ? `did you mean "${meant}"?`
        : known.length > FEW
          ? `there is, for one, "${known[0]}".`
          : `there are ${known.join(", ")}.`;
      return `"${field}" has ${JSON.stringify(id.slice(0, 80))}, which is not ${kind}; ${hint}`;
    });
}

function bounds({ workersMin, workersMax }: EndpointSpec): string[] {
  if (workersMin <= workersMax) return [];
  return [`"workersMin" is ${workersMin} and must not be more than "workersMax", ${workersMax}.`];
}

// Validates a Pod's settings beyond the schema of each field.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import { cudaVersionErrors } from "../catalog/cuda-version.ts";
import { unknownGpuTypes, unknownNames } from "../catalog/unknown-names.ts";
import { containerCommandErrors } from "../container/command-limits.ts";
import { httpPorts, validatePorts } from "../container/ports.ts";
import { imageNameErrors } from "../image/image-name.ts";
import { lowestBid } from "./compute.ts";
import type { PodSpec } from "./spec.ts";

const MAX_HTTP_PORTS = 10;
const MAX_VARIABLES = 50;

/** A sentence for each error. `stored` is the spec of a Pod that exists. */
export function validatePod(catalog: Catalog, spec: PodSpec, stored?: PodSpec): string[] {
  // What it was created with may have left the catalog since.
  const before = stored ? nameErrors(catalog, stored) : [];
  return [
    ...nameErrors(catalog, spec).filter((error) => !before.includes(error)),
    ...(spec.interruptible ? spotErrors(catalog, spec) : []),
    ...volumeErrors(spec),
    ...containerErrors(spec, stored),
  ];
}

function nameErrors(catalog: Catalog, spec: PodSpec) {
  const { dataCenters, cpuFlavors } = catalog;
  const { minCudaVersion } = spec;
  const minimum = minCudaVersion ? [minCudaVersion] : [];
  const onGpu = spec.computeType === "GPU";
  return [
    ...unknownNames("dataCenterIds", spec.dataCenterIds, idsOf(dataCenters), "a data center"),
    ...cudaVersionErrors("allowedCudaVersions", spec.allowedCudaVersions, catalog),
    ...cudaVersionErrors("minCudaVersion", minimum, catalog),
    // Settings of the other compute type are ignored, as clients expect.
    ...(onGpu ? unknownGpuTypes("gpuTypeIds", spec.gpuTypeIds, catalog) : []),
    ...(onGpu
      ? []
      : unknownNames("cpuFlavorIds", spec.cpuFlavorIds, idsOf(cpuFlavors), "a flavor")),
    ...(onGpu ? [] : cpuErrors(cpuFlavors, spec)),
  ];
}

function spotErrors(catalog: Catalog, spec: PodSpec): string[] {
  const { computeType, bidPerGpu } = spec;
  if (computeType === "CPU") {
    return ['"interruptible" is true; spot Pods are only offered on GPUs.'];
  }
  const minimum = lowestBid(catalog, spec);
  if (bidPerGpu === null || bidPerGpu >= minimum) return [];
  const [bid, price] = [bidPerGpu / 1e6, minimum / 1e6];
  return [`"bidPerGpu" is ${bid}; spot prices of the requested GPU types begin at ${price}.`];
}

function cpuErrors(all: Catalog["cpuFlavors"], { cpuFlavorIds, vcpuCount, cloudType }: PodSpec) {
  const errors: string[] = [];
  if (cloudType === "COMMUNITY") {
    errors.push('"cloudType" is COMMUNITY; Pods on CPUs are only offered as SECURE.');
  }
  const flavors = all.filter(({ id }) => cpuFlavorIds.length === 0 || cpuFlavorIds.includes(id));
  const counts = [...new Set(flavors.flatMap((flavor) => flavor.vcpuCounts))].sort((a, b) => a - b);
  if (flavors.length > 0 && !counts.includes(vcpuCount)) {
    errors.push(`"vcpuCount" is ${vcpuCount}; it takes one of ${counts.join(", ")}.`);
  }
  return errors;
}

function volumeErrors({ networkVolumeId, cloudType }: PodSpec): string[] {
  const errors: string[] = [];
  if (networkVolumeId === null) return errors;
  if (cloudType === "COMMUNITY") {
    errors.push('"cloudType" is COMMUNITY; network volumes are only mounted by SECURE Pods.');
  }
  return errors;
}

function containerErrors(
  { imageName, ports, env, ...command }: PodSpec,
  stored: PodSpec | undefined,
): string[] {
  const errors = containerCommandErrors(command);
  if (imageName === "") {
    errors.push('"imageName" is missing; it must be an image, or "templateId" a template.');
  } else errors.push(...imageNameErrors(imageName, stored?.imageName));
  errors.push(...validatePorts(ports));
  const http = httpPorts(ports).length;
  if (http > MAX_HTTP_PORTS) {
    errors.push(`"ports" holds ${http} HTTP ports; there may be ${MAX_HTTP_PORTS}.`);
  }
  const variables = Object.keys(env).length;
  if (variables > MAX_VARIABLES) {
    errors.push(`"env" holds ${variables} variables; there may be ${MAX_VARIABLES}.`);
  }
  return errors;
}

// What is wrong with a Pod's settings beyond the form of its fields.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import { strangers } from "../catalog/strangers.ts";
import { lowestBid } from "./compute.ts";
import type { PodSpec } from "./pod.ts";
import { httpPorts, portMistakes } from "./ports.ts";

const MOST_HTTP_PORTS = 10;
const MOST_VARIABLES = 50;

/** Everything that is wrong with these settings, a sentence each. */
export function podMistakes(catalog: Catalog, spec: PodSpec): string[] {
  return [...ofCompute(catalog, spec), ...ofVolume(spec), ...ofContainer(spec)];
}

function ofCompute(catalog: Catalog, spec: PodSpec) {
  const { gpuTypes, dataCenters, cudaVersions, cpuFlavors } = catalog;
  const { minCudaVersion } = spec;
  const cuda = "a CUDA version we know";
  const least = minCudaVersion ? [minCudaVersion] : [];
  const onGpu = spec.computeType === "GPU";
  return [
    ...strangers("dataCenterIds", spec.dataCenterIds, idsOf(dataCenters), "a data center"),
    ...strangers("allowedCudaVersions", spec.allowedCudaVersions, cudaVersions, cuda),
    ...strangers("minCudaVersion", least, cudaVersions, cuda),
    // What is not computed on is ignored, as clients expect.
    ...(onGpu ? strangers("gpuTypeIds", spec.gpuTypeIds, idsOf(gpuTypes), "a GPU type") : []),
    ...(onGpu ? [] : strangers("cpuFlavorIds", spec.cpuFlavorIds, idsOf(cpuFlavors), "a flavor")),
    ...(onGpu ? [] : ofCpu(cpuFlavors, spec)),
    ...(spec.interruptible ? ofSpot(catalog, spec) : []),
  ];
}

function ofSpot(catalog: Catalog, spec: PodSpec): string[] {
  const { computeType, bidPerGpu } = spec;
  if (computeType === "CPU") {
    return ['"interruptible" is true; spot Pods are only offered on GPUs.'];
  }
  const least = lowestBid(catalog, spec);
  if (bidPerGpu === null || bidPerGpu >= least) return [];
  const [bid, floor] = [bidPerGpu / 1e6, least / 1e6];
  return [`"bidPerGpu" is ${bid}; spot prices of what is asked for begin at ${floor}.`];
}

function ofCpu(all: Catalog["cpuFlavors"], { cpuFlavorIds, vcpuCount, cloudType }: PodSpec) {
  const mistakes: string[] = [];
  if (cloudType === "COMMUNITY") {
    mistakes.push('"cloudType" is COMMUNITY; Pods on CPUs are only offered as SECURE.');
  }
  const asked = all.filter(({ id }) => cpuFlavorIds.length === 0 || cpuFlavorIds.includes(id));
  const counts = [...new Set(asked.flatMap((flavor) => flavor.vcpuCounts))].sort((a, b) => a - b);
  if (asked.length > 0 && !counts.includes(vcpuCount)) {
    mistakes.push(`"vcpuCount" is ${vcpuCount}; it takes one of ${counts.join(", ")}.`);
  }
  return mistakes;
}

function ofVolume({ networkVolumeId, cloudType, volumeInGb }: PodSpec): string[] {
  const mistakes: string[] = [];
  if (networkVolumeId === null) return mistakes;
  if (cloudType === "COMMUNITY") {
    mistakes.push('"cloudType" is COMMUNITY; network volumes are only mounted by SECURE Pods.');
  }
  if (volumeInGb > 0) {
    mistakes.push(
      `"volumeInGb" is ${volumeInGb}; this Pod has network volume ${networkVolumeId} in the place of its own.`,
    );
  }
  return mistakes;
}

function ofContainer({ imageName, ports, env }: PodSpec): string[] {
  const mistakes: string[] = [];
  if (imageName === "") {
    mistakes.push('"imageName" is missing; it must be an image, or "templateId" a template.');
  }
  mistakes.push(...portMistakes(ports));
  const http = httpPorts(ports).length;
  if (http > MOST_HTTP_PORTS) {
    mistakes.push(`"ports" holds ${http} of http; there may be ${MOST_HTTP_PORTS}.`);
  }
  const variables = Object.keys(env).length;
  if (variables > MOST_VARIABLES) {
    mistakes.push(`"env" holds ${variables} variables; there may be ${MOST_VARIABLES}.`);
  }
  return mistakes;
}

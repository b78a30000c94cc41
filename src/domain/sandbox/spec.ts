// The settings of a sandbox's Pod: its hardware, and what every sandbox has or lacks.

import { MB_PER_GB } from "../../base/units.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type CpuChoice, cheapestInstance } from "../catalog/cpu-instance.ts";
import type { PodSpec } from "../pod/spec.ts";

/** Longer than any sandbox lives; every `sleep` understands it, unlike "infinity". */
const KEEP_ALIVE = ["sleep", "2147483"];

/**
 * A sandbox has one disk, no volume and no open port. Without a command of its own it waits for
 * commands, because most images would end at once.
 */
export function asSandbox(spec: PodSpec): PodSpec {
  const hasCommand = spec.dockerEntrypoint.length + spec.dockerStartCmd.length > 0;
  return {
    ...spec,
    computeType: "CPU",
    ports: [],
    volumeInGb: 0,
    networkVolumeId: null,
    ...(!hasCommand && {
      dockerEntrypoint: KEEP_ALIVE.slice(0, 1),
      dockerStartCmd: KEEP_ALIVE.slice(1),
    }),
  };
}

export interface RequestedSize {
  cpuFlavorId?: string | undefined;
  vcpuCount?: number | undefined;
  memoryInGb?: number | undefined;
}

/** The cheapest size of the catalog that has what is requested, or a sentence. */
export function sandboxSize(catalog: Catalog, requested: RequestedSize): CpuChoice | string {
  const { cpuFlavorId, vcpuCount, memoryInGb = 0 } = requested;
  const flavors = catalog.cpuFlavors.filter(({ id }) => id === (cpuFlavorId ?? id));
  if (flavors.length === 0) {
    const known = catalog.cpuFlavors.map(({ id }) => id).join(", ");
    return `There is no CPU flavor ${cpuFlavorId}; the catalog has ${known}.`;
  }
  const cheapest = cheapestInstance(
    flavors,
    (vcpus, memory) => vcpus === (vcpuCount ?? vcpus) && memory >= memoryInGb,
  );
  if (cheapest) return cheapest;
  const offers = flavors.map(
    ({ id, vcpuCounts, ramGbPerVcpu }) =>
      `${id} with ${vcpuCounts.join(", ")} vCPUs of ${ramGbPerVcpu} GB each`,
  );
  return `No size of the catalog has the requested vCPUs and memory: it has ${offers.join("; ")}.`;
}

export const memoryGb = (memoryMb: number): number => memoryMb / MB_PER_GB;

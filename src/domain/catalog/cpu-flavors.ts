// CPU flavors that endpoints can ask for, and the name of an instance of one.

/** Memory in GB that comes with each virtual CPU. */
export const endpointCpuFlavors: Readonly<Record<string, number>> = {
  cpu3c: 2,
  cpu3g: 4,
  cpu5c: 2,
  cpu5g: 4,
};

/** The id of an instance as clients write it: flavor, virtual CPUs, memory in GB. */
export function cpuInstanceId(flavorId: string, vcpuCount: number): string {
  return `${flavorId}-${vcpuCount}-${vcpuCount * (endpointCpuFlavors[flavorId] ?? 2)}`;
}

// CPU instances as clients name them: flavor, vCPUs and memory in one id, such as cpu3c-2-4.

import { Fault } from "../fault.ts";
import type { Catalog } from "./catalog.ts";

export interface CpuChoice {
  cpuFlavorIds: string[];
  vcpuCount: number;
}

/** The instance of a worker, which may have a single virtual CPU. */
export function workerInstanceOf(catalog: Catalog, ids: readonly string[]): CpuChoice {
  return instanceOf(catalog, ids, [1]);
}

/**
 * The flavors of the instances that have the size of the first one; the other flavors are
 * alternatives to it. Throws if an id has another form.
 */
export function instanceOf(
  { cpuFlavors }: Catalog,
  ids: readonly string[],
  moreCounts: readonly number[] = [],
): CpuChoice {
  const sizes = ids.map((id) => {
    const [, flavor, vcpus, memory] = /^([a-z0-9]+)-(\d{1,3})(?:-(\d{1,4}))?$/.exec(id) ?? [];
    const known = cpuFlavors.find((each) => each.id === flavor);
    const count = Number(vcpus);
    const fits = memory === undefined || Number(memory) === count * (known?.ramGbPerVcpu ?? 0);
    const counts = [...(known?.vcpuCounts ?? []), ...moreCounts];
    if (known && counts.includes(count) && fits) return { flavor: known.id, count };
    const detail = `"${id.slice(0, 80)}" is not a CPU instance; it takes a flavor, its virtual CPUs and their memory in GB, such as ${example(cpuFlavors[0])}.`;
    throw new Fault("invalid_body", { detail });
  });
  const vcpuCount = sizes[0]?.count ?? 2;
  const flavors = sizes.filter(({ count }) => count === vcpuCount).map(({ flavor }) => flavor);
  return { cpuFlavorIds: [...new Set(flavors)], vcpuCount };
}

function example(flavor: Catalog["cpuFlavors"][number] | undefined): string {
  if (!flavor) return "cpu3c-2-4";
  const vcpus = flavor.vcpuCounts[0] ?? 2;
  return `${flavor.id}-${vcpus}-${vcpus * flavor.ramGbPerVcpu}`;
}

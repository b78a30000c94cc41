// CPU instances: so many vCPUs of a flavor, with its memory. Clients name one by an id such as cpu3c-2-4.

import { MB_PER_GB } from "../../base/units.ts";
import { Fault } from "../fault.ts";
import type { Catalog, CpuFlavor } from "./catalog.ts";

/** What a vCPU has whose flavor the catalog does not have. */
const GB_PER_VCPU = 2;

/** The memory that comes with so many vCPUs. */
export function cpuMemoryGb(
  flavor: Pick<CpuFlavor, "ramGbPerVcpu"> | null | undefined,
  vcpus: number,
): number {
  return vcpus * (flavor?.ramGbPerVcpu ?? GB_PER_VCPU);
}

export const cpuMemoryMb: typeof cpuMemoryGb = (flavor, vcpus) =>
  cpuMemoryGb(flavor, vcpus) * MB_PER_GB;

/** The id of an instance as clients write it: flavor, vCPUs and memory in GB. */
export function cpuInstanceId({ cpuFlavors }: Catalog, flavorId: string, vcpus: number): string {
  const flavor = cpuFlavors.find(({ id }) => id === flavorId);
  return `${flavorId}-${vcpus}-${cpuMemoryGb(flavor, vcpus)}`;
}

/** The cheapest instance of these flavors that has the minimums, and of two the smaller one; null if none has. */
export function cheapestInstance(
  flavors: readonly CpuFlavor[],
  hasMinimums: (vcpus: number, memoryGb: number) => boolean,
): CpuChoice | null {
  const instances = flavors.flatMap((flavor) =>
    flavor.vcpuCounts
      .filter((count) => hasMinimums(count, cpuMemoryGb(flavor, count)))
      .map((count) => ({ id: flavor.id, count, price: count * flavor.pricePerVcpu })),
  );
  const [cheapest] = instances.sort((a, b) => a.price - b.price || a.count - b.count);
  return cheapest ? { cpuFlavorIds: [cheapest.id], vcpuCount: cheapest.count } : null;
}

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
    const fits = memory === undefined || Number(memory) === cpuMemoryGb(known, count);
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
  return `${flavor.id}-${vcpus}-${cpuMemoryGb(flavor, vcpus)}`;
}

// The machine of a Pod or a worker in the form that GraphQL clients expect. Several fail on a machine that
// is null.

import { hashSecret } from "../../../base/ids.ts";
import { MB_PER_GB } from "../../../base/units.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { dataCenterOf } from "../../../domain/placement/data-center.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import {
  freeGpus,
  type MachineOfPod,
  machineRead,
  type RentedPart,
} from "../../management/pod/machine-view.ts";
import type { GraphqlContext } from "../schema/context.ts";

const UNKNOWN = "unknown";

export function graphqlPodMachine(
  catalog: Catalog,
  podId: string,
  part: RentedPart,
  machine: MachineOfPod,
) {
  const { gpuAvailable: _, ...shown } = machineRead(catalog, part, machine, 0);
  const inventory = machine?.inventory;
  const { gpuType: __, ...facts } = shown;
  return {
    ...facts,
    id: part.machine,
    podHostId: `${podId}-${hashSecret(part.machine).slice(0, 8)}`,
    gpuTypeId: shown.gpuTypeId ?? UNKNOWN,
    gpuDisplayName: shown.gpuDisplayName ?? UNKNOWN,
    dataCenterId: dataCenterOf(inventory?.dataCenterId, part.dataCenterIds),
    diskMBps: shown.diskThroughputMBps ?? null,
    currentPricePerGpu: shown.currentPricePerGpu ?? null,
    listed: isListed(machine),
    machineSystem: systemOf(machine),
    ...(inventory && {
      vcpuTotal: inventory.vcpus,
      memoryTotal: Math.floor(inventory.memoryMb / MB_PER_GB),
    }),
    // Read only if the document selects them.
    gpuAvailable: async (_: unknown, context: GraphqlContext) =>
      freeGpus(await context.capacity(), part),
    vcpuReserved: (_: unknown, context: GraphqlContext) =>
      reserved(context, machine, (free, total) => total.vcpus - free.vcpus),
    memoryReserved: (_: unknown, context: GraphqlContext) =>
      reserved(context, machine, (free, total) => (total.memoryMb - free.memoryMb) / MB_PER_GB),
  };
}

/** Whether it takes new workloads. */
function isListed(machine: MachineOfPod): boolean {
  if (!machine || machine.stopped || machine.lostAt !== null) return false;
  return !machine.upkeep.draining;
}

export function systemOf(machine: MachineOfPod) {
  const inventory = machine?.inventory;
  const system = inventory?.system;
  return {
    os: system?.os ?? null,
    cudaVersion: inventory?.cudaVersion ?? UNKNOWN,
    kernelVersion: system?.kernelVersion ?? UNKNOWN,
    dockerVersion: system?.engineVersion ?? null,
    diskTotal: inventory?.diskGb ?? null,
    diskFree: async (_: unknown, context: GraphqlContext) => {
      const place = placeIn(await context.capacity(), machine);
      return place ? Math.max(0, Math.floor(place.free.diskGb)) : null;
    },
  };
}

type Totals = NonNullable<MachineOfPod>["inventory"];
type Free = Capacity["places"][number]["free"];

/** Null for a machine that accepts nothing: what is reserved there is not known. */
async function reserved(
  context: GraphqlContext,
  machine: MachineOfPod,
  amount: (free: Free, total: Totals) => number,
): Promise<number | null> {
  const place = placeIn(await context.capacity(), machine);
  return place && machine ? Math.max(0, amount(place.free, machine.inventory)) : null;
}

const placeIn = ({ places }: Capacity, machine: MachineOfPod) =>
  places.find((place) => place.machine === machine?.machine);

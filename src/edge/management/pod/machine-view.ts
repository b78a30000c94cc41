// The machine of a Pod or a worker, and its GPUs, as clients read them.

import type { Pod } from "../../../contract/rest-v1/pod/pod.ts";
import type { Catalog, GpuType } from "../../../domain/catalog/catalog.ts";
import { dataCenterOf, locationIn } from "../../../domain/placement/data-center.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import type { PodView } from "../../../flows/pod/read.ts";
import { dollars } from "../billing/dollars.ts";
import { present } from "../serve/instant.ts";

/** The part of a machine that a Pod or a worker rents. */
export interface RentedPart {
  machine: string;
  gpuTypeId: string | null;
  gpuCount: number;
  virtual: boolean;
  cpuFlavorId: string | null;
  /** Micro-dollars per hour. */
  cost: number;
  /** Whether data centers were required, unless the machine declares its cloud type. */
  secure: boolean;
  /** The data centers that were requested. */
  dataCenterIds: readonly string[];
}

export type MachineOfPod = PodView["machine"];

/** A Pod on a network volume is where the volume is. */
export function rentedPartOf({ pod, networkVolume }: PodView): RentedPart {
  const { desired, placement, pricing } = pod;
  const { machine, gpuTypeId, gpus, virtual, cpuFlavorId } = placement;
  const { cloudType, dataCenterIds } = desired.spec;
  return {
    machine,
    gpuTypeId,
    virtual,
    cpuFlavorId,
    gpuCount: gpus.length,
    cost: pricing.cost,
    secure: cloudType !== "COMMUNITY",
    dataCenterIds: networkVolume ? [networkVolume.dataCenterId] : dataCenterIds,
  };
}

/** The data center of a Pod; null if it is unknown. */
export const podDataCenter = (view: PodView): string | null =>
  dataCenterOf(view.machine?.inventory.dataCenterId, rentedPartOf(view).dataCenterIds);

export function gpuRead(
  catalog: Catalog,
  { gpuTypeId, virtual }: Pick<RentedPart, "gpuTypeId" | "virtual">,
  count: number,
): NonNullable<Pod["gpu"]> | null {
  const type = catalog.gpuTypes.find(({ id }) => id === gpuTypeId);
  if (!type) return null;
  const { id, displayName } = type;
  return { id, displayName, count, virtual, ...gpuPricesRead(type) };
}

function gpuPricesRead({ prices }: GpuType) {
  const { secure, community, secureSpot, communitySpot, threeMonth, sixMonth } = prices;
  return {
    securePrice: dollars(secure),
    communityPrice: dollars(community),
    // There are no plans of a week or a month: such a Pod pays the usual price.
    oneWeekPrice: dollars(secure),
    oneMonthPrice: dollars(secure),
    threeMonthPrice: dollars(threeMonth ?? secure),
    sixMonthPrice: dollars(sixMonth ?? secure),
    secureSpotPrice: dollars(secureSpot),
    communitySpotPrice: dollars(communitySpot),
  };
}

/** The free GPUs of a type on a machine; a machine that accepts nothing has none. */
export function freeGpus({ places }: Capacity, { machine, gpuTypeId }: RentedPart): number {
  const place = places.find((each) => each.machine === machine);
  const groups = place?.free.gpus.filter(({ typeId }) => typeId === gpuTypeId) ?? [];
  return groups.reduce((sum, { indices }) => sum + indices.length, 0);
}

const UNKNOWN = "unknown";

export function machineRead(
  catalog: Catalog,
  part: RentedPart,
  machine: MachineOfPod,
  gpuAvailable: number,
): NonNullable<Pod["machine"]> {
  const inventory = machine?.inventory;
  const { gpuTypeId, gpuCount, cost } = part;
  const ofType = inventory?.gpus.filter((group) => group.gpuTypeId === gpuTypeId) ?? [];
  const total = ofType.reduce((sum, { indices }) => sum + indices.length, 0);
  const gpuType = gpuRead(catalog, part, total);
  const cpuType = cpuTypeRead(catalog, part, machine);
  const dataCenterId = dataCenterOf(inventory?.dataCenterId, part.dataCenterIds);
  return {
    minPodGpuCount: inventory && inventory.gpus.length > 0 ? 1 : 0,
    ...(gpuType && { gpuTypeId: gpuType.id, gpuDisplayName: gpuType.displayName, gpuType }),
    gpuAvailable,
    ...(gpuCount > 0 && { currentPricePerGpu: dollars(cost / gpuCount) }),
    ...(cpuType && { cpuTypeId: cpuType.id, cpuType }),
    ...(inventory && { cpuCount: inventory.vcpus }),
    location: locationIn(catalog, inventory, dataCenterId) ?? UNKNOWN,
    dataCenterId: dataCenterId ?? UNKNOWN,
    ...(inventory && speedsRead(inventory)),
    // A machine that declares nothing takes Pods that require a public address.
    supportPublicIp: inventory?.supportPublicIp ?? true,
    secureCloud: inventory?.cloudType ? inventory.cloudType === "SECURE" : part.secure,
    ...(machine && upkeepRead(machine)),
    note: noteOf(part, machine),
    costPerHr: dollars(cost),
  };
}

type Inventory = NonNullable<MachineOfPod>["inventory"];

/** Clients read whole numbers. */
function speedsRead({ diskMBps, downloadMbps, uploadMbps }: Inventory) {
  return {
    ...(diskMBps !== null && { diskThroughputMBps: Math.round(diskMBps) }),
    ...(downloadMbps !== null && { maxDownloadSpeedMbps: Math.round(downloadMbps) }),
    ...(uploadMbps !== null && { maxUploadSpeedMbps: Math.round(uploadMbps) }),
  };
}

/** A flavor for a workload on CPUs, else the CPU that the machine was detected to have. */
function cpuTypeRead(
  { cpuFlavors }: Catalog,
  { cpuFlavorId }: RentedPart,
  machine: MachineOfPod,
): NonNullable<Pod["machine"]>["cpuType"] | null {
  const flavor = cpuFlavors.find(({ id }) => id === cpuFlavorId);
  if (flavor) return flavorAsCpuType(flavor);
  const cpu = machine?.inventory.system?.cpu;
  if (!cpu) return null;
  const { model, cores, threadsPerCore } = cpu;
  return { id: model, displayName: model, cores, threadsPerCore, groupId: model };
}

/** A vCPU of a flavor counts as a core of one thread. */
export function flavorAsCpuType({ id, displayName, vcpuCounts }: Catalog["cpuFlavors"][number]) {
  return { id, displayName, groupId: id, cores: Math.max(...vcpuCounts), threadsPerCore: 1 };
}

function upkeepRead({ upkeep, lostAt }: NonNullable<MachineOfPod>) {
  const { maintenanceStart, maintenanceEnd, maintenanceNote } = upkeep;
  return {
    ...present({ maintenanceStart, maintenanceEnd, lostAt }),
    ...(maintenanceNote !== null && { maintenanceNote }),
  };
}

function noteOf({ virtual }: RentedPart, machine: MachineOfPod): string {
  const notes: [applies: boolean, sentence: string][] = [
    [virtual, "Its GPUs are virtual."],
    [machine?.upkeep.draining === true, "It is being drained and accepts nothing new."],
    [machine !== undefined && machine.lostAt !== null, "It is lost."],
    [machine === undefined, "It was removed."],
  ];
  return notes
    .filter(([applies]) => applies)
    .map(([, sentence]) => sentence)
    .join(" ");
}

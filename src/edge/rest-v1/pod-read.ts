// A Pod as clients read it. What is not known is left out.

import type { Pod } from "../../contract/rest-v1/pod.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Pod as Kept, PodCause } from "../../domain/pod/pod.ts";
import { paidAhead } from "../../domain/pod/prices.ts";
import type { PodView } from "../../flows/pod/read.ts";
import { dollars } from "./dollars.ts";
import { instant, present } from "./instant.ts";
import { networkVolumeRead } from "./network-volumes.ts";
import { savingsPlanRead } from "./savings-plan-read.ts";
import { templateRead } from "./template-read.ts";

export interface PodIncluding {
  includeMachine?: boolean;
  includeNetworkVolume?: boolean;
  includeSavingsPlans?: boolean;
  includeTemplate?: boolean;
}

const GB = 1_024;

export function podRead(
  catalog: Catalog,
  { pod, machine, template, networkVolume, plans }: PodView,
  including: PodIncluding = {},
): Pod {
  const { spec, state } = pod;
  const lostAt = machine?.lostAt ?? null;
  const lost = lostAt !== null;
  const { includeMachine, includeNetworkVolume, includeSavingsPlans, includeTemplate } = including;
  const gpuCount = gpuCountOf(pod);
  return {
    id: pod.id,
    name: pod.name,
    desiredStatus: state,
    image: spec.imageName,
    imageName: spec.imageName,
    ...(spec.containerRegistryAuthId !== null && {
      containerRegistryAuthId: spec.containerRegistryAuthId,
    }),
    dockerEntrypoint: spec.dockerEntrypoint,
    dockerStartCmd: spec.dockerStartCmd,
    env: spec.env,
    ports: spec.ports,
    containerDiskInGb: spec.containerDiskInGb,
    volumeInGb: spec.volumeInGb,
    volumeMountPath: spec.volumeMountPath,
    volumeEncrypted: false,
    ...(spec.networkVolumeId !== null && { networkVolumeId: spec.networkVolumeId }),
    ...(spec.templateId !== null && { templateId: spec.templateId }),
    consumerUserId: pod.accountId,
    machineId: pod.machine,
    ...(pod.gpuTypeId !== null && { gpuTypeId: pod.gpuTypeId }),
    ...gpuRead(catalog, pod),
    gpuCount,
    ...(pod.cpuFlavorId !== null && { cpuFlavorId: pod.cpuFlavorId }),
    vcpuCount: pod.vcpus,
    memoryInGb: Math.floor(pod.memoryMb / GB),
    costPerHr: dollars(pod.cost),
    adjustedCostPerHr: dollars(pod.cost - paidAhead(pod)),
    interruptible: spec.interruptible,
    locked: pod.locked,
    publicIp: lost ? null : pod.publicIp,
    portMappings: pod.observed === "running" && !lost ? pod.portMappings : {},
    createdAt: instant(pod.createdAt),
    ...(pod.startedAt !== null && { lastStartedAt: instant(pod.startedAt) }),
    lastStatusChange:
      lost && state === "RUNNING" ? `Machine lost: ${instant(lostAt)}` : lastChange(pod),
    ...(pod.stopAfter !== null && { stopAfter: instant(pod.stopAfter) }),
    ...(pod.terminateAfter !== null && { terminateAfter: instant(pod.terminateAfter) }),
    ...(includeMachine && { machine: machineRead(catalog, pod, machine) }),
    ...(includeNetworkVolume &&
      networkVolume && { networkVolume: networkVolumeRead(networkVolume) }),
    ...(includeSavingsPlans && { savingsPlans: plans.map(savingsPlanRead) }),
    ...(includeTemplate && template && { template: templateRead(template) }),
  };
}

/** One that was started without its GPUs has none until it is started with them. */
function gpuCountOf({ spec, state, gpus }: Kept): number {
  if (spec.computeType === "CPU") return 0;
  return state === "RUNNING" ? gpus.length : spec.gpuCount;
}

function gpuRead(catalog: Catalog, { gpuTypeId, gpus }: Kept): Pick<Pod, "gpu"> {
  const type = catalog.gpuTypes.find(({ id }) => id === gpuTypeId);
  if (!type) return {};
  const { id, displayName, prices } = type;
  return {
    gpu: {
      id,
      displayName,
      count: gpus.length,
      securePrice: dollars(prices.secure),
      communityPrice: dollars(prices.community),
      secureSpotPrice: dollars(prices.secureSpot),
      communitySpotPrice: dollars(prices.communitySpot),
    },
  };
}

function machineRead(catalog: Catalog, pod: Kept, machine: PodView["machine"]): Pod["machine"] {
  const inventory = machine?.inventory;
  const type = catalog.gpuTypes.find(({ id }) => id === pod.gpuTypeId);
  return {
    ...(type && { gpuTypeId: type.id, gpuDisplayName: type.displayName }),
    ...(pod.cpuFlavorId !== null && { cpuTypeId: pod.cpuFlavorId }),
    ...(inventory && {
      cpuCount: inventory.vcpus,
      ...(inventory.location !== null && { location: inventory.location }),
      ...(inventory.dataCenterId !== null && { dataCenterId: inventory.dataCenterId }),
      ...(inventory.diskMBps !== null && { diskThroughputMBps: inventory.diskMBps }),
      ...(inventory.downloadMbps !== null && { maxDownloadSpeedMbps: inventory.downloadMbps }),
      ...(inventory.uploadMbps !== null && { maxUploadSpeedMbps: inventory.uploadMbps }),
      ...(inventory.supportPublicIp !== null && { supportPublicIp: inventory.supportPublicIp }),
      ...upkeepRead(machine!),
    }),
    secureCloud: pod.spec.cloudType === "SECURE",
    costPerHr: dollars(pod.cost),
  };
}

function upkeepRead({ upkeep, lostAt }: NonNullable<PodView["machine"]>): Pod["machine"] {
  const { maintenanceStart, maintenanceEnd, maintenanceNote } = upkeep;
  return {
    ...present({ maintenanceStart, maintenanceEnd, lostAt }),
    ...(maintenanceNote !== null && { maintenanceNote }),
  };
}

const changes: Record<PodCause, string> = {
  created: "Rented by user",
  started: "Resumed by user",
  restarted: "Restarted by user",
  reset: "Reset by user",
  stopped: "Exited by user",
  stop_after: "Exited by Freehold",
  no_credits: "Exited by Freehold",
  account_disabled: "Exited by Freehold",
  budget_spent: "Exited by Freehold",
  finished: "Exited by itself",
  gave_up: "Exited by Freehold",
  evicted: "Exited by Freehold",
  disk_full: "Exited by Freehold",
  deleted: "Terminated by user",
  terminate_after: "Terminated by Freehold",
};

/** "Exited by Freehold: 2025-01-01T00:00:00.000Z, its stopAfter has come" */
function lastChange({ cause, changedAt, reason }: Kept): string {
  const words = `${changes[cause]}: ${instant(changedAt)}`;
  return reason === null ? words : `${words}, ${reason}`;
}

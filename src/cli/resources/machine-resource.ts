// Machines as a table, and the lines below it about what needs attention.

import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import { useText } from "../../installation/use-text.ts";
import { plainText } from "../output/table.ts";
import { type Resource, resource } from "./resource.ts";

export const machineResources: Record<string, Resource> = {
  machine: resource({
    noun: "machine",
    list: "GET /v1/machines",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name, address }) => name ?? address],
      ["STATE", stateText],
      ["VCPUS FREE", cpuText],
      ["MEMORY FREE", ({ memoryFreeInGb, memoryInGb }) => `${memoryFreeInGb}/${memoryInGb} GB`],
      ["DISK FREE", ({ diskFreeInGb, diskInGb }) => `${diskFreeInGb}/${diskInGb} GB`],
      ["GPUS FREE", gpuText],
    ],
    footer: attentionLines,
    schemas: async () =>
      (await import("../../contract/rest-v1/machine/machine.ts")).machineOperations,
  }),
};

function stateText(machine: Machine): string {
  const { online, draining, simulated, closed, address, isolation, maintenanceStart } = machine;
  return [
    online ? "online" : offlineText(machine),
    ...(draining ? ["draining"] : []),
    ...(simulated ? ["simulated"] : []),
    ...(closed ? [closed] : []),
    ...(address && isolation ? [`isolation ${isolation}`] : []),
    ...(maintenanceStart ? [`maintenance from ${maintenanceStart}`] : []),
  ].join(", ");
}

function offlineText({ lostAt, seenAt }: Machine): string {
  if (lostAt) return `lost ${lostAt}`;
  return seenAt === undefined ? "never reached" : "offline";
}

/** "12/16 (over-committed 2)": of the vCPUs on offer, and those that the machine has. */
function cpuText({ vcpuFree, vcpuCount, cpuOvercommit }: Machine): string {
  if (!cpuOvercommit) return `${vcpuFree}/${vcpuCount}`;
  return `${vcpuFree}/${Math.floor(vcpuCount * cpuOvercommit)} (over-committed ${vcpuCount})`;
}

function gpuText({ gpus }: Machine): string {
  const real = gpus.filter(({ virtual }) => !virtual);
  const simulatedTypes = gpus.length - real.length;
  return [
    ...real.map(({ free, count, gpuTypeId }) => `${free}/${count} ${gpuTypeId}`),
    ...(simulatedTypes > 0 ? [`simulated of ${simulatedTypes} types`] : []),
  ].join(", ");
}

/** For example "m1: unreachable by SSH: ...". A table would cut it. */
function attentionLines(machines: readonly Machine[]): string {
  return machines
    .flatMap((machine) => attentionOf(machine).map((text) => `${machine.id}: ${plainText(text)}\n`))
    .join("");
}

function attentionOf({ online, trouble, fabric, unknownInstallations = [] }: Machine): string[] {
  const network = fabric
    ? [`fabric ${fabric.name} at ${fabric.address}${fabric.trouble ? `: ${fabric.trouble}` : ""}`]
    : [];
  return [
    ...(!online && trouble ? [trouble] : []),
    ...network,
    ...unknownInstallations.map(
      (use) =>
        `another installation ${use.id}: ${useText(use)}${use.removing ? ", being removed" : ""}`,
    ),
  ];
}

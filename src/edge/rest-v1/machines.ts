// /v1/machines.

import type { FastifyInstance } from "fastify";
import { type Machine, machineOperations } from "../../contract/rest-v1/machine.ts";
import { type MachineView, machinesThere } from "../../flows/machine/list.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";
import { serve } from "./serve.ts";

export function machineRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, machineOperations, {
    listMachines: async () => (await machinesThere(deps)).map(machineRead),
  });
}

function machineRead({ machine, online, seenAt, drivers, inventory }: MachineView): Machine {
  const { gpus, vcpus, memoryMb, diskGb, downloadMbps, uploadMbps, diskMBps, ...rest } = inventory;
  return {
    id: machine,
    online,
    seenAt: instant(seenAt),
    drivers,
    vcpuCount: vcpus,
    memoryInGb: Math.floor(memoryMb / 1_024),
    diskInGb: diskGb,
    gpus: gpus.map(({ gpuTypeId, memoryMb, virtual, indices }) => {
      return {
        gpuTypeId,
        count: indices.length,
        memoryInGb: Math.round(memoryMb / 1_024),
        virtual,
      };
    }),
    ...declared({
      ...rest,
      maxDownloadSpeedMbps: downloadMbps,
      maxUploadSpeedMbps: uploadMbps,
      diskThroughputMBps: diskMBps,
    }),
  };
}

/** Those that are not null. */
function declared<Facts extends object>(facts: Facts) {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as { [Name in keyof Facts]?: NonNullable<Facts[Name]> };
}

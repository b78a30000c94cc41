// /v1/machines.

import type { FastifyInstance } from "fastify";
import {
  type Machine,
  type MachineUpdate,
  machineOperations,
} from "../../contract/rest-v1/machine.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import { changeMachine } from "../../flows/machine/change.ts";
import { type MachineRoom, machinesWithRoom } from "../../flows/machine/list.ts";
import type { RestDeps } from "./deps.ts";
import { instant, present } from "./instant.ts";
import { serve } from "./serve.ts";

const GB = 1_024;

export function machineRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, machineOperations, {
    listMachines: async () => (await machinesWithRoom(deps)).map(machineRead),
    async updateMachine({ accountId, params, body }) {
      await changeMachine(deps, accountId, params.machineId, upkeep(body));
      const all = await machinesWithRoom(deps);
      return machineRead(all.find(({ machine }) => machine === params.machineId)!);
    },
  });
}

/** What is named; null takes it away. */
function upkeep({ maintenanceStart: start, maintenanceEnd: end, ...rest }: MachineUpdate) {
  const at = (text: string | null) => (text === null ? null : Date.parse(text));
  return {
    ...rest,
    ...(start !== undefined && { maintenanceStart: at(start) }),
    ...(end !== undefined && { maintenanceEnd: at(end) }),
  } as Partial<Upkeep>;
}

function machineRead(room: MachineRoom): Machine {
  const { machine, online, seenAt, lostAt, drivers, inventory, free, upkeep } = room;
  const { gpus, vcpus, memoryMb, diskGb, downloadMbps, uploadMbps, diskMBps, ...rest } = inventory;
  const { draining, maintenanceStart, maintenanceEnd, maintenanceNote } = upkeep;
  return {
    id: machine,
    online,
    seenAt: instant(seenAt),
    draining,
    ...present({ lostAt, maintenanceStart, maintenanceEnd }),
    drivers,
    vcpuCount: vcpus,
    memoryInGb: Math.floor(memoryMb / GB),
    diskInGb: diskGb,
    vcpuFree: Math.max(0, free?.vcpus ?? 0),
    memoryFreeInGb: Math.max(0, Math.floor((free?.memoryMb ?? 0) / GB)),
    diskFreeInGb: Math.max(0, free?.diskGb ?? 0),
    gpus: gpus.map(({ gpuTypeId, memoryMb, virtual, indices }, n) => ({
      gpuTypeId,
      count: indices.length,
      free: free?.gpus[n]?.indices.length ?? 0,
      memoryInGb: Math.round(memoryMb / GB),
      virtual,
    })),
    ...declared({
      ...rest,
      maintenanceNote,
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

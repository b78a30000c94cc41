// Machines, as whoever runs the service sees them.

import { type MachineView, machinesThere } from "../../flows/machine/list.ts";
import { typeOf } from "./catalog.ts";
import type { Fields } from "./fields.ts";

export const machineFields: Fields = {
  Query: {
    machines: async (_, __, { deps }) => (await machinesThere(deps)).map(machineRead),
  },
  Machine: {
    gpuType: ({ gpuTypeId }: { gpuTypeId: string | null }, _, context) =>
      typeOf(context, gpuTypeId),
  },
};

/** Of several types the first is named; the count is of all. */
function machineRead({ machine, online, inventory }: MachineView) {
  const { gpus, location, countryCode, cloudType, dataCenterId, cudaVersion } = inventory;
  return {
    id: machine,
    name: machine,
    location: location ?? countryCode,
    listed: online,
    gpuTypeId: gpus[0]?.gpuTypeId ?? null,
    gpuTotal: gpus.reduce((sum, { indices }) => sum + indices.length, 0),
    secureCloud: cloudType === null ? null : cloudType === "SECURE",
    dataCenterId,
    machineSystem: { cudaVersion, diskTotal: inventory.diskGb },
  };
}

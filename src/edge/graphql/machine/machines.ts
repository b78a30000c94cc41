// The machines of the installation, as its operator sees them.

import { listMachines, type MachineView } from "../../../flows/machine/list.ts";
import { systemOf } from "../pod/pod-machine.ts";
import { readPodList } from "../pod/pods.ts";
import type { Context } from "../schema/context.ts";
import type { Resolvers } from "../schema/types.generated.ts";
import { readGpuType } from "./catalog.ts";

export const machineResolvers: Resolvers = {
  Query: {
    machines: (_, __, context) => readMachines(context),
  },
  User: {
    machines: (_, __, context) => readMachines(context),
  },
  Machine: {
    pods: async ({ id }, _, context) =>
      (await readPodList(context)).filter(({ restView }) => restView.machineId === id),
    gpuType: ({ gpuTypeId }, _, context) => readGpuType(context, gpuTypeId),
  },
};

const readMachines = async ({ deps }: Context) => (await listMachines(deps)).map(graphqlMachine);

/** `gpuTypeId` is the first of the machine's GPU types; `gpuTotal` counts the GPUs of all of them. */
export function graphqlMachine(view: MachineView) {
  const { machine, online, inventory } = view;
  const { gpus, location, countryCode, cloudType, dataCenterId } = inventory;
  return {
    id: machine,
    name: machine,
    location: location ?? countryCode,
    listed: online,
    gpuTypeId: gpus[0]?.gpuTypeId ?? null,
    gpuTotal: gpus.reduce((sum, { indices }) => sum + indices.length, 0),
    secureCloud: cloudType === null ? null : cloudType === "SECURE",
    dataCenterId,
    machineSystem: systemOf(view),
  };
}

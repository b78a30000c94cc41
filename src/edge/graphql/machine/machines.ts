// The machines of the installation, as its operator sees them.

import { listMachines } from "../../../flows/machine/list.ts";
import { readPodList } from "../pod/pods.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import type { Context } from "../schema/context.ts";
import { graphqlMachine } from "../view/machine-view.ts";
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

// The machines of the installation, as its operator sees them.

import { listMachines } from "../../../flows/machine/list.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { type PodQueryDeps, readPodList } from "../pod/pods.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import type { GraphqlContext } from "../schema/context.ts";
import { graphqlMachine } from "../view/machine-view.ts";
import { readGpuType } from "./catalog.ts";

interface Deps extends PodQueryDeps, Pick<PodDeps, "heartbeatTiming"> {}

export const machineResolvers: Resolvers<GraphqlContext<Deps>> = {
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

const readMachines = async ({ deps }: GraphqlContext<Deps>) =>
  (await listMachines(deps)).map(graphqlMachine);

// Clusters, created and deleted by the flows that REST uses.

import { podCreate } from "../../../contract/rest-v1/pod/pod-write.ts";
import type { Creator } from "../../../domain/account.ts";
import { readDockerArgs } from "../../../domain/container/docker-args.ts";
import { Fault } from "../../../domain/fault.ts";
import { deleteClusterOf } from "../../../flows/cluster/change.ts";
import { createCluster, type NewCluster } from "../../../flows/cluster/create.ts";
import { type ClusterView, readCluster, readClusters } from "../../../flows/cluster/read.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { newPodRequest } from "../../management/pod/pod-request.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { graphqlPods, type PodQueryDeps } from "../pod/pods.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, creatorFor, type GraphqlContext } from "../schema/context.ts";
import { WordedFault } from "../schema/graphql-error.ts";
import {
  envObject,
  labelList,
  labelsObject,
  type Present,
  presentFields,
  presentItems,
  requireInput,
  splitList,
} from "../schema/input.ts";
import { isFault } from "../schema/missing.ts";
import type { CreateClusterInput } from "../schema/types.generated.ts";

type Input = Present<CreateClusterInput>;

/** The fields that this file reads one by one; all others are a Pod's, with the names and the form of REST v1. */
const ownForm = {
  allowedCudaVersions: true,
  clusterName: true,
  dataCenterId: true,
  dataCenterIds: true,
  deployCost: true,
  dockerArgs: true,
  env: true,
  gpuCountPerPod: true,
  gpuTypeId: true,
  labels: true,
  podCount: true,
  ports: true,
  startJupyter: true,
  startSsh: true,
  throughput: true,
  type: true,
  volumeKey: true,
} satisfies Partial<Record<keyof Input, true>>;

const readBody = bodyReader(podCreate, undefined);

interface Deps extends PodDeps, PodQueryDeps {}

export const clusterResolvers: Resolvers<GraphqlContext<Deps>> = {
  Mutation: {
    createCluster: async (_, { input }, context) => {
      const accountId = accountFor(context, "write");
      const newCluster = newClusterFrom(presentFields(requireInput(input)));
      const request = { ...creatorFor(context), ...newCluster };
      const { id } = await createCluster(context.deps, { ...request, once: context.once });
      return graphqlCluster(context, await readCluster(context.deps, accountId, id));
    },
    deleteCluster: async (_, { input }, context) => {
      const { id } = requireInput(input);
      await deleteClusterOf(context.deps, accountFor(context, "write"), id).catch(missing);
      return true;
    },
  },
};

/** `createdBy` is the id of a member, or "me". */
export async function readClusterList(
  context: GraphqlContext<PodQueryDeps>,
  createdBy?: string | null,
) {
  const views = await readClusters(context.deps, accountFor(context, "read"));
  const owned = ownedBy(views, createdBy, context.key);
  return Promise.all(owned.map((view) => graphqlCluster(context, view)));
}

export async function clusterOrNull(context: GraphqlContext<PodQueryDeps>, id: string) {
  const views = await readClusters(context.deps, accountFor(context, "read"));
  const view = views.find(({ cluster }) => cluster.id === id);
  return view ? graphqlCluster(context, view) : null;
}

/** Some clients compare this code to learn that a cluster no longer exists. */
function missing(error: unknown): never {
  if (isFault(error, "cluster_not_found")) {
    throw new WordedFault("There is no such cluster.", "Cluster not found");
  }
  throw error;
}

async function graphqlCluster(
  context: GraphqlContext<PodQueryDeps>,
  { cluster, members, labels, owner }: ClusterView,
) {
  const { accountId, cidr: _, templateId, gpuTypeId, createdAt, ...rest } = cluster;
  const type = context.deps.catalog.gpuTypes.find(({ id }) => id === gpuTypeId);
  return {
    ...rest,
    userId: accountId,
    gpuTypeId,
    gpuDisplayName: type?.displayName ?? gpuTypeId,
    ...(templateId !== null && { templateId }),
    createdAt: new Date(createdAt).toISOString(),
    pods: await graphqlPods(context, members),
    createdBy: owner ?? null,
    labels: labelList(labels),
  };
}

function newClusterFrom(input: Input): Omit<NewCluster, keyof Creator | "once"> {
  const { type = "TRAINING", podCount = 0, deployCost, clusterName: name = "cluster" } = input;
  refuseUnsupported(input);
  if (podCount < 2 || podCount > 250) {
    const detail = `"podCount" must be a whole number from 2 to 250; it is ${podCount}.`;
    throw new Fault("invalid_body", { detail });
  }
  const { request, labels } = newPodRequest(readBody(podBody(input)));
  return {
    name,
    ...(labels && { labels }),
    type: type as NewCluster["type"],
    podCount,
    request: { ...request, cloudType: "ALL" },
    mostPerHr: deployCost === undefined ? null : Math.round(deployCost * 1_000_000),
    services: { ssh: input.startSsh === true, jupyter: input.startJupyter === true },
  };
}

function refuseUnsupported({ type, throughput, volumeKey, gpuTypeId }: Input): void {
  const refuse = (detail: string): never => {
    throw new Fault("not_offered", { detail });
  };
  if (type === "SLURM" || type === "RAY") {
    refuse(`Clusters of the type ${type} are not offered; "type" is TRAINING or APPLICATION.`);
  }
  if (throughput) refuse('A minimum bandwidth is not offered; leave "throughput" out.');
  if (volumeKey) refuse('Encrypted volumes are not offered; leave "volumeKey" out.');
  if (gpuTypeId) return;
  throw new Fault("invalid_body", { detail: '"gpuTypeId" is missing; it must be a GPU type.' });
}

/** One Pod of it, as the body of REST v1. */
function podBody(input: Input): object {
  const [, plain] = takeFields(input, ownForm);
  const [settings, rest] = takeFields(plain, podCreate.properties);
  rest satisfies Record<string, never>;
  const { clusterName: name, gpuTypeId, gpuCountPerPod = 1, env, labels } = input;
  const { ports, dockerArgs } = input;
  const centers = presentItems([input.dataCenterId, ...(input.dataCenterIds ?? [])]);
  const versions = presentItems(input.allowedCudaVersions ?? []);
  return {
    ...presentFields({ name }),
    ...settings,
    computeType: "GPU",
    gpuTypeIds: [gpuTypeId],
    gpuCount: gpuCountPerPod,
    ...(centers.length > 0 && { dataCenterIds: centers }),
    ...(versions.length > 0 && { allowedCudaVersions: versions }),
    ...(ports && { ports: splitList(ports) }),
    ...(env && { env: envObject(env) }),
    ...(labels && { labels: labelsObject(labels) }),
    ...(dockerArgs && readDockerArgs(dockerArgs)),
  };
}

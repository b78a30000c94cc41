// Pods, read, rented and changed by the flows that REST uses.

import { podUpdate } from "../../../contract/rest-v1/pod/pod-write.ts";
import { readDockerArgs } from "../../../domain/container/docker-args.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Pod } from "../../../domain/pod/pod.ts";
import type { StartRequest } from "../../../domain/pod/start.ts";
import { ownerNamed } from "../../../flows/member/owner.ts";
import { createPod, type PodDeps } from "../../../flows/pod/create.ts";
import { deletePodOf } from "../../../flows/pod/delete.ts";
import { movePodOf } from "../../../flows/pod/move.ts";
import { type PodView, readPod, readPods, viewOf } from "../../../flows/pod/read.ts";
import { type RuntimeDeps, runtimesOf } from "../../../flows/pod/runtime.ts";
import { startPod } from "../../../flows/pod/start.ts";
import { changePodOf, type PodChanges } from "../../../flows/pod/update.ts";
import type { LogSources } from "../../../flows/replica/log-source.ts";
import { podChanges } from "../../management/pod/pod-request.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, creatorFor, type GraphqlContext } from "../schema/context.ts";
import { WordedFault } from "../schema/graphql-error.ts";
import {
  envObject,
  labelsObject,
  presentFields,
  presentItems,
  requireInput,
  splitList,
} from "../schema/input.ts";
import { isFault, nullIfMissing } from "../schema/missing.ts";
import type {
  PodBidResumeInput,
  PodEditJobInput,
  PodLockInput,
  PodResumeInput,
} from "../schema/types.generated.ts";
import { GraphqlPod } from "../view/pod-view.ts";
import { requestedPlan } from "../view/savings-plan-view.ts";
import { type DeployInput, newPodFrom } from "./deploy.ts";

export type PodQueryDeps = RuntimeDeps & Pick<PodDeps, "store" | "catalog">;

interface Deps extends PodDeps, LogSources {}

export const podResolvers: Resolvers<GraphqlContext<Deps>> = {
  Query: {
    pod: (_, { input }, context) => podOrNull(context, requireInput(input).podId),
  },
  Mutation: {
    podFindAndDeployOnDemand: (_, { input }, context) =>
      deploy(context, requireInput(input), { onCpu: false, spot: false }),
    podRentInterruptable: (_, { input }, context) =>
      deploy(context, requireInput(input), { onCpu: false, spot: true }),
    deployCpuPod: (_, { input }, context) =>
      deploy(context, requireInput(input), { onCpu: true, spot: false }),
    podResume: (_, { input }, context) => start(context, input.podId, startRequest(input)),
    podResumeZeroGpu: (_, { input: { podId } }, context) =>
      start(context, podId, startRequest({ podId, gpuCount: 0 })),
    podBidResume: (_, { input }, context) => startWithBid(context, input),
    podStop: (_, { input }, context) => move(context, input.podId, "stop"),
    podRestart: (_, { input }, context) => move(context, input.podId, "restart"),
    podReset: (_, { input }, context) => move(context, input.podId, "reset"),
    podEditJob: (_, { input }, context) => change(context, input.podId, editChanges(input)),
    podEditName: (_, { input }, context) => {
      const changes = readUpdateBody({ name: input.name });
      return change(context, input.podId, podChanges(changes));
    },
    podLock: (_, { input: { podId, locked } }, context) =>
      change(context, podId, { locked: locked ?? true }),
    podUnlock: (_, { input }, context) => unlock(context, input),
    podTerminate: (_, { input }, context) => terminate(context, input.podId),
  },
};

/** `createdBy` is the id of a member, or "me". */
export async function readPodList(
  context: GraphqlContext<PodQueryDeps>,
  createdBy?: string | null,
): Promise<GraphqlPod[]> {
  const views = await readPods(context.deps, accountFor(context, "read"));
  const ownerId = ownerNamed(createdBy ?? undefined, context.key);
  return graphqlPods(
    context,
    ownerId === null ? views : views.filter(({ pod }) => pod.ownerId === ownerId),
  );
}

export const podOrNull = (context: GraphqlContext<PodQueryDeps>, id: string) =>
  nullIfMissing("pod_not_found", () => readOne(context, id));

async function readOne(context: GraphqlContext<PodQueryDeps>, id: string): Promise<GraphqlPod> {
  const view = await readPod(context.deps, accountFor(context, "read"), id);
  return (await graphqlPods(context, [view]))[0]!;
}

async function graphqlPod(context: GraphqlContext<PodQueryDeps>, pod: Pod): Promise<GraphqlPod> {
  return (await graphqlPods(context, [await viewOf(context.deps, pod)]))[0]!;
}

export async function graphqlPods(
  { deps }: GraphqlContext<PodQueryDeps>,
  views: PodView[],
): Promise<GraphqlPod[]> {
  const pods = views.map(({ pod }) => pod);
  const runtimes = await runtimesOf(deps, pods);
  const now = deps.clock.now();
  return views.map((view, n) => new GraphqlPod(deps.catalog, view, runtimes[n] ?? null, now));
}

async function deploy(
  context: GraphqlContext<Deps>,
  input: DeployInput,
  kind: { onCpu: boolean; spot: boolean },
): Promise<GraphqlPod> {
  const { deps, once } = context;
  const creator = creatorFor(context);
  const request = newPodFrom(deps.catalog, input, kind);
  const plan = presentFields(input.savingsPlan);
  const savingsPlan = Object.keys(plan).length > 0 ? requestedPlan(context, plan) : undefined;
  const pod = { ...creator, ...request, ...(savingsPlan && { savingsPlan }), once };
  return graphqlPod(context, await createPod(deps, pod));
}

function startRequest({ gpuCount, allowedCudaVersions }: PodResumeInput): StartRequest {
  if (gpuCount !== undefined && gpuCount !== null && gpuCount < 0) {
    const detail = `"gpuCount" must be a whole number from 0 up; it is ${gpuCount}.`;
    throw new Fault("invalid_body", { detail });
  }
  return { ...presentFields({ gpuCount }), allowedCudaVersions: presentItems(allowedCudaVersions) };
}

async function start(
  context: GraphqlContext<Deps>,
  id: string,
  request: StartRequest,
): Promise<GraphqlPod> {
  const accountId = accountFor(context, "write");
  return graphqlPod(context, await startPod(context.deps, accountId, id, request));
}

async function startWithBid(
  context: GraphqlContext<Deps>,
  input: PodBidResumeInput,
): Promise<GraphqlPod> {
  const { podType } = await readOne(context, input.podId);
  if (podType !== "INTERRUPTABLE") {
    const detail = `Pod ${input.podId} is not interruptible and takes no bid; podResume starts it.`;
    throw new Fault("invalid_body", { detail });
  }
  const bidPerGpu = Math.round(input.bidPerGpu * 1_000_000);
  return start(context, input.podId, { ...startRequest(input), bidPerGpu });
}

async function move(
  context: GraphqlContext<Deps>,
  id: string,
  event: "stop" | "restart" | "reset",
): Promise<GraphqlPod> {
  const accountId = accountFor(context, "write");
  return graphqlPod(context, await movePodOf(context.deps, accountId, id, event));
}

async function change(
  context: GraphqlContext<Deps>,
  id: string,
  changes: PodChanges,
): Promise<GraphqlPod> {
  const accountId = accountFor(context, "write");
  return graphqlPod(context, await changePodOf(context.deps, accountId, id, changes));
}

function unlock(context: GraphqlContext<Deps>, { podId, locked }: PodLockInput) {
  if (locked) {
    const detail = 'podUnlock takes no "locked": true; podLock locks a Pod.';
    throw new Fault("invalid_body", { detail });
  }
  return change(context, podId, { locked: false });
}

/** Clients compare this message to learn that nothing is left to delete. */
async function terminate(context: GraphqlContext<Deps>, id: string): Promise<null> {
  try {
    await deletePodOf(context.deps, accountFor(context, "write"), id);
    return null;
  } catch (error) {
    if (!isFault(error, "pod_not_found")) throw error;
    throw new WordedFault("pod not found to terminate", "pod_not_found");
  }
}

const readUpdateBody = bodyReader(podUpdate, undefined);

function editChanges(input: PodEditJobInput): PodChanges {
  const {
    podId: _,
    dockerArgs,
    env,
    labels,
    port,
    ports,
    gpuCount,
    ...settings
  } = presentFields(input);
  if (gpuCount !== undefined) {
    const detail = 'A Pod keeps its GPUs; stop it and give "gpuCount" to podResume.';
    throw new Fault("not_offered", { detail });
  }
  const portList = ports ? splitList(ports) : port ? [`${port}/http`] : null;
  const [plain, rest] = takeFields(settings, podUpdate.properties);
  rest satisfies Record<string, never>;
  const body = {
    ...plain,
    ...(dockerArgs && readDockerArgs(dockerArgs)),
    ...(env && { env: envObject(env) }),
    ...(labels && { labels: labelsObject(labels) }),
    ...(portList && { ports: portList }),
  };
  return podChanges(readUpdateBody(body));
}

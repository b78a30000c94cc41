// Pods: read, rented, started, stopped, changed and deleted by the flows of the management interface.

import { type PodUpdate, podUpdate } from "../../contract/rest-v1/pod-write.ts";
import { Fault } from "../../domain/fault.ts";
import { readDockerArgs } from "../../domain/pod/docker-args.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { StartWishes } from "../../domain/pod/start.ts";
import { createPod } from "../../flows/pod/create.ts";
import { movePodOf } from "../../flows/pod/move.ts";
import { type PodView, readPod, readPods, viewOf } from "../../flows/pod/read.ts";
import { runtimesOf } from "../../flows/pod/runtime.ts";
import { startPod } from "../../flows/pod/start.ts";
import { changePodOf, type PodChanges } from "../../flows/pod/update.ts";
import { podChanges } from "../rest-v1/pod-wishes.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { accountFor, type Context } from "./context.ts";
import { type DeployInput, newPodOf } from "./deploy.ts";
import type { Fields } from "./fields.ts";
import { envObject, given, parts, type Variable } from "./given.ts";
import { GraphqlPod } from "./pod-read.ts";
import { WordedFault } from "./refusals.ts";
import { askedPlan } from "./savings-plan-read.ts";

export const podFields: Fields = {
  Query: {
    pod: (_, { input }: { input?: { podId: string } | null }, context) =>
      podOrNull(context, needed(input).podId),
  },
  Mutation: {
    podFindAndDeployOnDemand: (_, { input }, context) =>
      deploy(context, input, { onCpu: false, spot: false }),
    podRentInterruptable: (_, { input }, context) =>
      deploy(context, input, { onCpu: false, spot: true }),
    deployCpuPod: (_, { input }, context) => deploy(context, input, { onCpu: true, spot: false }),
    podResume: (_, { input }: { input: ResumeInput }, context) =>
      start(context, input.podId, resumeWishes(input)),
    podBidResume: (_, { input }: { input: BidResumeInput }, context) => bidAgain(context, input),
    podStop: (_, { input }: { input: { podId: string } }, context) =>
      move(context, input.podId, "stop"),
    podRestart: (_, { input }: { input: { podId: string } }, context) =>
      move(context, input.podId, "restart"),
    podReset: (_, { input }: { input: { podId: string } }, context) =>
      move(context, input.podId, "reset"),
    podEditJob: (_, { input }: { input: EditInput }, context) =>
      change(context, input.podId, editChanges(input)),
    podEditName: (_, { input }: { input: { podId: string; name: string } }, context) =>
      change(context, input.podId, podChanges(readChanges({ name: input.name }) as PodUpdate)),
    podLock: (_, { input }: { input: { podId: string; locked: boolean } }, context) =>
      change(context, input.podId, { locked: input.locked }),
    podTerminate: (_, { input }: { input: { podId: string } }, context) =>
      terminate(context, input.podId),
  },
};

export async function podsRead(context: Context): Promise<GraphqlPod[]> {
  return shown(context, await readPods(context.deps, accountFor(context, "read")));
}

export const podOrNull = (context: Context, id: string) =>
  orNull("pod_not_found", () => readOne(context, id));

async function readOne(context: Context, id: string): Promise<GraphqlPod> {
  const view = await readPod(context.deps, accountFor(context, "read"), id);
  return (await shown(context, [view]))[0]!;
}

async function written(context: Context, pod: Pod): Promise<GraphqlPod> {
  return (await shown(context, [await viewOf(context.deps, pod)]))[0]!;
}

async function shown({ deps }: Context, views: PodView[]): Promise<GraphqlPod[]> {
  const pods = views.map(({ pod }) => pod);
  const runtimes = await runtimesOf(deps, pods);
  return views.map((view, n) => new GraphqlPod(deps.catalog, view, runtimes[n] ?? null));
}

async function deploy(
  context: Context,
  input: DeployInput | null,
  kind: { onCpu: boolean; spot: boolean },
): Promise<GraphqlPod> {
  const { deps, once } = context;
  const accountId = accountFor(context, "write");
  const keyId = context.key?.id ?? "";
  const wanted = newPodOf(deps.catalog, needed(input), kind);
  const asked = given(input?.savingsPlan ?? {});
  const savingsPlan = Object.keys(asked).length > 0 ? askedPlan(context, asked) : undefined;
  const pod = { accountId, keyId, ...wanted, ...(savingsPlan && { savingsPlan }), once };
  return written(context, await createPod(deps, pod));
}

interface ResumeInput {
  podId: string;
  gpuCount?: number | null;
  allowedCudaVersions?: (string | null)[] | null;
}

function resumeWishes({ gpuCount, allowedCudaVersions }: ResumeInput): StartWishes {
  if (gpuCount !== undefined && gpuCount !== null && gpuCount < 0) {
    const detail = `"gpuCount" must be a whole number from 0 up; it is ${gpuCount}.`;
    throw new Fault("invalid_body", { detail });
  }
  const versions = (allowedCudaVersions ?? []).filter((version) => version !== null);
  return { ...given({ gpuCount }), allowedCudaVersions: versions.filter((each) => each !== "") };
}

async function start(context: Context, id: string, wishes: StartWishes): Promise<GraphqlPod> {
  const accountId = accountFor(context, "write");
  return written(context, await startPod(context.deps, accountId, id, wishes));
}

interface BidResumeInput {
  podId: string;
  bidPerGpu: number;
  gpuCount: number;
}

async function bidAgain(context: Context, input: BidResumeInput): Promise<GraphqlPod> {
  const { podType } = await readOne(context, input.podId);
  if (podType !== "INTERRUPTABLE") {
    const detail = `Pod ${input.podId} is not interruptible and takes no bid; podResume starts it.`;
    throw new Fault("invalid_body", { detail });
  }
  const bidPerGpu = Math.round(input.bidPerGpu * 1_000_000);
  return start(context, input.podId, { ...resumeWishes(input), bidPerGpu });
}

async function move(
  context: Context,
  id: string,
  event: "stop" | "restart" | "reset",
): Promise<GraphqlPod> {
  const accountId = accountFor(context, "write");
  return written(context, await movePodOf(context.deps, accountId, id, event));
}

async function change(context: Context, id: string, changes: PodChanges): Promise<GraphqlPod> {
  const accountId = accountFor(context, "write");
  return written(context, await changePodOf(context.deps, accountId, id, changes));
}

/** Clients tell by these words that there is nothing left to do. */
async function terminate(context: Context, id: string): Promise<null> {
  try {
    await movePodOf(context.deps, accountFor(context, "write"), id, "delete");
    return null;
  } catch (error) {
    if (!isFault(error, "pod_not_found")) throw error;
    throw new WordedFault("pod not found to terminate", "pod_not_found");
  }
}

interface EditInput {
  podId: string;
  containerDiskInGb?: number | null;
  containerRegistryAuthId?: string | null;
  dockerArgs?: string | null;
  env?: (Variable | null)[] | null;
  gpuCount?: number | null;
  imageName?: string | null;
  port?: string | null;
  ports?: string | null;
  volumeInGb?: number | null;
  volumeMountPath?: string | null;
}

const readChanges = bodyReader(podUpdate, undefined);

function editChanges(input: EditInput): PodChanges {
  const { podId: _, dockerArgs, env, port, ports, gpuCount, ...same } = given(input);
  if (gpuCount !== undefined) {
    const detail = 'A Pod keeps its GPUs; stop it and give "gpuCount" to podResume.';
    throw new Fault("not_offered", { detail });
  }
  const exposed = ports ? parts(ports) : port ? [`${port}/http`] : null;
  const body = {
    ...same,
    ...(dockerArgs && readDockerArgs(dockerArgs)),
    ...(env && { env: envObject(env) }),
    ...(exposed && { ports: exposed }),
  };
  return podChanges(readChanges(body) as PodUpdate);
}

export function isFault(error: unknown, code: Fault["code"]): boolean {
  return error instanceof Fault && error.code === code;
}

/** What is not there is null for a query. */
export async function orNull<Found>(
  code: Fault["code"],
  ask: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await ask();
  } catch (error) {
    if (isFault(error, code)) return null;
    throw error;
  }
}

export function needed<Input>(input: Input | null | undefined): Input {
  if (input) return input;
  throw new Fault("invalid_body", { detail: '"input" is missing.' });
}

// A Pod as GraphQL clients read it: the management interface's own view of it, in the other forms that
// they expect. Several of them stop at a machine that is null, or at a number that is not whole.

import { hashSecret } from "../../base/ids.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { lowestBid } from "../../domain/pod/compute.ts";
import { writeDockerArgs } from "../../domain/pod/docker-args.ts";
import type { Pod as Kept } from "../../domain/pod/pod.ts";
import type { PodView } from "../../flows/pod/read.ts";
import { dollars } from "../rest-v1/dollars.ts";
import { podRead } from "../rest-v1/pod-read.ts";

export function graphqlPod(catalog: Catalog, view: PodView, now: number) {
  const { pod } = view;
  const { machine, gpu: _, ...rest } = podRead(catalog, view, { includeMachine: true });
  return {
    ...rest,
    env: Object.entries(rest.env).map(([name, value]) => `${name}=${value}`),
    ports: rest.ports.join(","),
    port: null,
    dockerArgs: writeDockerArgs(pod.spec),
    lowestBidPriceToResume: rest.interruptible ? dollars(bidToResume(catalog, pod)) : null,
    podType: rest.interruptible ? "INTERRUPTABLE" : "RESERVED",
    gpus: holds(pod) ? pod.gpus.map((gpu) => ({ id: `${pod.id}-${gpu}`, podId: pod.id })) : [],
    gpuPowerLimitPercent: 100,
    uptimeSeconds: uptimeS(pod, now) ?? 0,
    savingsPlans: [],
    machine: machineOf(view, machine ?? {}),
    runtime: runtimeOf(pod, now),
  };
}

export type GraphqlPod = ReturnType<typeof graphqlPod>;

/** It goes back to where its volume is, on GPUs of the same type. */
function bidToResume(catalog: Catalog, { spec, gpuTypeId }: Kept): number {
  return lowestBid(catalog, gpuTypeId === null ? spec : { ...spec, gpuTypeIds: [gpuTypeId] });
}

const holds = ({ state }: Kept) => state === "RUNNING";

function uptimeS({ state, observed, startedAt }: Kept, now: number): number | null {
  if (state !== "RUNNING" || observed !== "running" || startedAt === null) return null;
  return Math.max(0, Math.floor((now - startedAt) / 1_000));
}

/** Null until its container is up: for clients that is what being up means. */
function runtimeOf(pod: Kept, now: number) {
  const uptimeInSeconds = uptimeS(pod, now);
  if (uptimeInSeconds === null) return null;
  const { publicIp, portMappings, spec } = pod;
  const ports = spec.ports.flatMap((port) => {
    const [number, type = "tcp"] = port.split("/");
    const privatePort = Number(number);
    const publicPort = portMappings[privatePort] ?? null;
    if (type === "tcp" && publicPort === null) return [];
    return [{ ip: publicIp, isIpPublic: type === "tcp", privatePort, publicPort, type }];
  });
  return { uptimeInSeconds, ports, gpus: [], container: null };
}

const UNKNOWN = "unknown";

function machineOf(
  { pod, machine }: PodView,
  seen: NonNullable<ReturnType<typeof podRead>["machine"]>,
) {
  const inventory = machine?.inventory;
  return {
    ...seen,
    id: pod.machine,
    podHostId: `${pod.id}-${hashSecret(pod.machine).slice(0, 8)}`,
    gpuTypeId: seen.gpuTypeId ?? UNKNOWN,
    gpuDisplayName: seen.gpuDisplayName ?? UNKNOWN,
    location: seen.location ?? inventory?.countryCode ?? UNKNOWN,
    diskMBps: seen.diskThroughputMBps,
    currentPricePerGpu: pod.gpus.length > 0 ? (seen.costPerHr ?? 0) / pod.gpus.length : null,
    machineSystem: { cudaVersion: inventory?.cudaVersion ?? UNKNOWN, kernelVersion: UNKNOWN },
    ...(inventory && {
      vcpuTotal: inventory.vcpus,
      memoryTotal: Math.floor(inventory.memoryMb / 1_024),
    }),
  };
}

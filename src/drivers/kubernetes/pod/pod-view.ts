// What the driver keeps of a Kubernetes Pod: the observation of its workload, and why it does not start. Pure.

import { constants } from "node:os";
import type { Observation } from "../../driver.ts";
import type { KubernetesObject } from "../client/objects.ts";
import { ANNOTATION, LABEL } from "../names.ts";
import { evictionIn } from "./eviction.ts";
import { GPU_RESOURCES, migProfileOf } from "./gpu-families.ts";
import { CONTAINER } from "./pod-object.ts";
import { type PodRequests, podRequestsOf, type ScheduledPod } from "./pod-requests.ts";

export interface PodObject extends KubernetesObject {
  spec?: ScheduledPod["spec"];
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    startTime?: string;
    conditions?: {
      type: string;
      status: string;
      reason?: string;
      message?: string;
      lastTransitionTime?: string;
    }[];
    containerStatuses?: {
      name: string;
      state?: ContainerState;
      allocatedResourcesStatus?: AllocatedResources[];
    }[];
  };
}

/**
 * Devices of a container, as their device plugin reports them: since Kubernetes 1.31 behind the feature gate
 * ResourceHealthStatus, and by default since 1.36.
 */
export interface AllocatedResources {
  name: string;
  resources?: { resourceID: string; health?: string }[];
}

export interface GpuStates {
  /** The ids of its devices that their plugin reports as unhealthy, which are usually UUIDs. */
  unhealthy: readonly string[];
}

interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt: string };
  terminated?: {
    exitCode: number;
    reason?: string;
    message?: string;
    startedAt?: string;
    finishedAt?: string;
  };
}

export interface NodePod {
  name: string;
  namespace: string;
  uid: string;
  workload: string;
  /** The digest of its machine. */
  machine: string;
  isDeleted: boolean;
  /** What it takes of its node, until it is gone from the cluster. */
  requests: PodRequests;
  /** Null before its container has started. */
  observation: Observation | null;
  /** Why its container has not started, if Kubernetes says so. */
  waiting: { reason: string; message: string } | null;
  /** What the cluster says of its GPUs while it runs; null if it says nothing. */
  gpuStates: GpuStates | null;
}

/** The reason of a container that was created and could not be started. */
export const CANNOT_RUN = "RunContainerError";
/** The reason of a Pod that its kubelet did not admit; the message begins with Kubernetes' own. */
export const REJECTED = "Rejected";
/** The reasons with which a Pod fails that was admitted. */
const ADMITTED = new Set([
  "DeadlineExceeded",
  "Evicted",
  "NodeLost",
  "Preempting",
  "Shutdown",
  "Terminated",
]);
/** The reasons of ends that no kubelet saw, because the node was down. */
const UNOBSERVED = new Set(["Unknown", "ContainerStatusUnknown"]);
const NEVER_RAN = new Set(["StartError", "ContainerCannotRun"]);

/** Runtimes report an end by a signal as 128 plus its number, as shells do. */
const signals = new Map(
  Object.entries(constants.signals).map(([name, number]) => [128 + number, name]),
);

export function podViewOf(pod: PodObject): NodePod {
  const { metadata, status = {} } = pod;
  const workload = metadata.annotations?.[ANNOTATION.workload] ?? "";
  const state = status.containerStatuses?.find(({ name }) => name === CONTAINER)?.state ?? {};
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const observation = withEviction(
    { ...status, isDeleted },
    observationOf(workload, status, state, metadata.annotations?.[ANNOTATION.publicIp]),
  );
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? "",
    uid: metadata.uid,
    workload,
    machine: metadata.labels?.[LABEL.machine] ?? "",
    isDeleted,
    requests: podRequestsOf(pod),
    observation,
    waiting: waitingOf(status, state),
    gpuStates:
      observation?.state === "running" ? gpuStatesIn(status.containerStatuses ?? []) : null,
  };
}

function observationOf(
  id: string,
  status: NonNullable<PodObject["status"]>,
  { running, terminated }: ContainerState,
  publicIp: string | undefined,
): Observation | null {
  const isOver = status.phase === "Failed" || status.phase === "Succeeded";
  if (running && !isOver) {
    const startedAt = Date.parse(running.startedAt);
    return {
      id,
      state: "running",
      startedAt,
      endedAt: null,
      exitCode: null,
      signal: null,
      ...(unreadyAt(status) !== null && { isStale: true as const }),
      ...(publicIp !== undefined && { publicIp }),
    };
  }
  if (NEVER_RAN.has(terminated?.reason ?? "")) return null;
  const began = terminated?.startedAt ?? status.startTime;
  if (terminated) {
    const startedAt = Date.parse(began ?? "") || 0;
    const isKnown = !UNOBSERVED.has(terminated.reason ?? "");
    const signal = isKnown ? (signals.get(terminated.exitCode) ?? null) : null;
    const finishedAt = Date.parse(terminated.finishedAt ?? "") || 0;
    const observedTo = isKnown ? finishedAt : Math.min(finishedAt, unreadyAt(status) ?? finishedAt);
    return {
      id,
      state: "ended",
      startedAt,
      endedAt: Math.max(startedAt, observedTo),
      inSeconds: true,
      exitCode: isKnown && signal === null ? terminated.exitCode : null,
      signal,
      // The kubelet reports any process in the container that was killed for memory.
      ...(terminated.reason === "OOMKilled" &&
        (terminated.exitCode === 0 ? { childOom: true as const } : { oom: true as const })),
    };
  }
  // An evicted Pod may have no container statuses; a Pod whose node is gone keeps those it had last.
  if (!isOver || (!running && isRejected(status))) return null;
  const startedAt = Date.parse(running?.startedAt ?? began ?? "") || 0;
  const endedAt = Math.max(startedAt, unreadyAt(status) ?? startedAt);
  return { id, state: "ended", startedAt, endedAt, exitCode: null, signal: null };
}

/** Asked only of a Pod without a container that has run. */
function isRejected({ phase, reason, message = "" }: NonNullable<PodObject["status"]>): boolean {
  if (phase !== "Failed" || reason === undefined) return false;
  // A node without room evicts Pods, and rejects others with the same reason.
  return !ADMITTED.has(reason) || /^(Pod was rejected|The node had condition)/.test(message);
}

function withEviction(
  { isDeleted, ...status }: NonNullable<PodObject["status"]> & { isDeleted: boolean },
  observation: Observation | null,
): Observation | null {
  const eviction = observation?.state === "ended" ? evictionIn(status, isDeleted) : undefined;
  return observation && eviction ? { ...observation, eviction } : observation;
}

/** When the Pod stopped being ready, which is also when Kubernetes noticed that its node was down. */
function unreadyAt({ conditions = [] }: NonNullable<PodObject["status"]>): number | null {
  const unready = conditions.find(({ type, status }) => type === "Ready" && status === "False");
  return Date.parse(unready?.lastTransitionTime ?? "") || null;
}

function waitingOf(
  status: NonNullable<PodObject["status"]>,
  { waiting, running, terminated }: ContainerState,
): NodePod["waiting"] {
  const { conditions = [], reason = "", message = "" } = status;
  const unscheduled = conditions.find(
    ({ type, status, reason }) =>
      type === "PodScheduled" && status === "False" && reason === "Unschedulable",
  );
  if (terminated && NEVER_RAN.has(terminated.reason ?? "")) {
    return { reason: CANNOT_RUN, message: terminated.message ?? "" };
  }
  if (!running && !terminated && isRejected(status)) {
    return { reason: REJECTED, message: `${reason}: ${message}` };
  }
  const cause = unscheduled ?? waiting;
  if (!cause?.reason) return null;
  return { reason: cause.reason, message: cause.message ?? "" };
}

/** Null if nothing is said of any GPU. A device whose health is unknown is not an unhealthy one. */
export function gpuStatesIn(
  containers: readonly { allocatedResourcesStatus?: AllocatedResources[] }[],
): GpuStates | null {
  const devices = containers
    .flatMap(({ allocatedResourcesStatus = [] }) => allocatedResourcesStatus)
    .filter(({ name }) => GPU_RESOURCES.includes(name) || migProfileOf(name) !== null)
    .flatMap(({ resources = [] }) => resources);
  if (devices.length === 0) return null;
  const unhealthy = devices.filter(({ health }) => health === "Unhealthy");
  return { unhealthy: unhealthy.map(({ resourceID }) => resourceID).sort() };
}

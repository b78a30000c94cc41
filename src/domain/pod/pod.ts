// A Pod: its desired state, its placement, its price, and the observed state of its container.

import type { ClusterMember } from "../cluster/cluster.ts";
import type { EndCause } from "../container/end-cause.ts";
import type { Labels } from "../label/labels.ts";
import type { Exemption } from "../usage/exemption.ts";
import type { ProjectIdle } from "../usage/idle-policy.ts";
import type { LifetimeWarning, SharedLifetimes } from "../usage/lifetime.ts";
import type { End } from "./after-end.ts";
import type { PodState } from "./moves.ts";
import type { PodTerms } from "./pod-request.ts";
import type { PodSpec } from "./spec.ts";

/** Each part has one writer; only a move of the Pod also resets its back-off. */
export interface Pod {
  id: string;
  accountId: string;
  /** The API key that created it; empty if there is none. */
  keyId: string;
  /** The member it belongs to; null if it belongs to the account alone. */
  ownerId: string | null;
  name: string;
  labels: Labels;
  createdAt: number;
  /** Its part in a cluster, which never changes; null if it is in none. */
  cluster: ClusterMember | null;
  /** Written by requests and by decisions of the service: deadlines, budgets, eviction. */
  desired: PodDesired;
  /** Written when a machine's resources are taken for it. */
  placement: PodPlacement;
  /** Written when it is placed, when prices change and when savings plans do. */
  pricing: PodPricing;
  /** Written by the replica that manages its machine. */
  observed: PodObserved;
  /** Written by that replica too, when a container ends or cannot be started. */
  backoff: PodBackoff;
  /** Since when it counts as idle, by its rule; to come if its owner keeps it until then. Null while it is used. */
  idleSince: number | null;
  /** The rule of its owner's project as it is now, with the project; null if there is none. Written with the project. */
  projectIdle: ProjectIdle | null;
  /** What exempts it from stops for being idle and from maximums now; null if nothing does. Written with the account. */
  exemption: Exemption | null;
  /** The maximums of its owner's project and of its account as they are now. Written with those. */
  sharedLifetimes: SharedLifetimes;
  /** The last warning that its maximum lifetime ends; null if none was given since its start. */
  lifetimeWarning: LifetimeWarning | null;
}

export interface PodDesired extends Omit<PodTerms, "name" | "labels"> {
  spec: PodSpec;
  state: PodState;
  /** What led to this state, and when. */
  cause: PodCause;
  reason: string | null;
  changedAt: number;
  /** Increases whenever a new container is needed. */
  generation: number;
  /** Since when it has run without a stop; a restart does not change it. Null unless it is desired to run. */
  runningSince: number | null;
  /** A client keeps it until then, as far as its maximum can be extended; null if none does. */
  keptUntil: number | null;
}

export interface PodPlacement {
  machine: string;
  driver: string;
  gpuTypeId: string | null;
  /** Indices of its GPUs; once it is stopped, those it had last. */
  gpus: number[];
  /** True if its GPUs are simulated. */
  virtual: boolean;
  cpuFlavorId: string | null;
  vcpus: number;
  memoryMb: number;
}

/** Micro-dollars per hour. */
export interface PodPricing {
  /** While it runs, without its disks. */
  cost: number;
  /** While it runs, with its disks. */
  runningRate: number;
  /** While it does not run: its volume alone. */
  stoppedRate: number;
  /** The number of its GPUs that savings plans pay for; 0 unless it is desired to run. */
  coveredGpus: number;
}

/** The state of its container, as observed. */
export type ContainerState = "none" | "starting" | "running" | "ended";

type ContainerObserved =
  | { state: "none" | "starting"; startedAt: number | null; lastEnd: End | null }
  | { state: "running"; startedAt: number; lastEnd: null }
  | { state: "ended"; startedAt: number | null; lastEnd: End };

export type PodObserved = ContainerObserved & {
  /** The generation that the last container was started for; 0 before the first. */
  startedGeneration: number;
  /** The GPUs that the last container was started with. */
  startedGpus: number[];
  publicIp: string | null;
  /** From the container's port to the public one. */
  portMappings: Record<string, number>;
};

/** Whether the account rents it as a Pod: it is not terminated, and no sandbox. */
export function isPodOf(pod: Pod | undefined, accountId: string): pod is Pod {
  if (pod?.accountId !== accountId || pod.desired.state === "TERMINATED") return false;
  return !pod.desired.spec.sandbox;
}

/** True while the container that is desired runs; false while an earlier one is still ending. */
export function isUp({ desired, observed }: Pick<Pod, "desired" | "observed">): boolean {
  const isCurrent = observed.startedGeneration === desired.generation;
  return desired.state === "RUNNING" && observed.state === "running" && isCurrent;
}

/**
 * The back-off of its container: when it may be started again after it ended or failed to start.
 */
export interface PodBackoff {
  /** The next container is not started before this instant. */
  startAt: number;
  /** The instants of recent ends that the service did not cause. */
  ends: number[];
  failedStarts: FailedStarts | null;
}

/** The starts that failed one after another. */
export interface FailedStarts {
  count: number;
  /** When the first of them failed. */
  since: number;
  /** Why the last one failed. */
  sentence: string;
  /** The reason as a code, if it is certain. */
  cause: EndCause | null;
  /** The engine's own words, for operators only; null if there are none. */
  engine: string | null;
}

/** What led to the desired state. */
export type PodCause =
  | "created"
  | "started"
  | "restarted"
  | "reset"
  | "stopped"
  | "stop_after"
  | "max_lifetime"
  | "idle"
  | "no_credits"
  | "account_disabled"
  | "budget_spent"
  | "finished"
  | "gave_up"
  | "evicted"
  | "disk_full"
  | "gpu_quarantined"
  | "deleted"
  | "terminate_after";

/** The observation of a Pod whose container was not started yet. */
export const notObserved: PodObserved = {
  state: "none",
  startedAt: null,
  lastEnd: null,
  startedGeneration: 0,
  startedGpus: [],
  publicIp: null,
  portMappings: {},
};

export const noBackoff: PodBackoff = { startAt: 0, ends: [], failedStarts: null };

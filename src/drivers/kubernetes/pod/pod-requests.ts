// What a Pod requests of its node, as the scheduler counts it. Pure.

import type { KubernetesObject } from "../client/objects.ts";
import { GPU_RESOURCES } from "./gpu-families.ts";
import { quantityOf } from "./quantity.ts";

type Quantities = Record<string, string>;

interface Container {
  restartPolicy?: string;
  resources?: { requests?: Quantities; limits?: Quantities };
}

export interface ScheduledPod extends KubernetesObject {
  spec?: {
    nodeName?: string;
    containers?: Container[];
    initContainers?: Container[];
    overhead?: Quantities;
  };
  status?: { phase?: string };
}

export interface Requests {
  cpus: number;
  memoryBytes: number;
  diskBytes: number;
  gpus: number;
}

export interface PodRequests extends Requests {
  /** Null while the Pod is not scheduled. */
  node: string | null;
}

const RESOURCES: Record<keyof Requests, readonly string[]> = {
  cpus: ["cpu"],
  memoryBytes: ["memory"],
  diskBytes: ["ephemeral-storage"],
  gpus: GPU_RESOURCES,
};
const NAMES = Object.keys(RESOURCES) as (keyof Requests)[];

/** A Pod that has ended requests nothing. */
export function podRequestsOf({ spec = {}, status = {} }: ScheduledPod): PodRequests {
  const isOver = status.phase === "Succeeded" || status.phase === "Failed";
  const of = (name: keyof Requests) =>
    isOver ? 0 : RESOURCES[name].reduce((sum, each) => sum + requested(spec, each), 0);
  return { node: spec.nodeName ?? null, ...requestsOf(of) };
}

export const requestsAny = (requests: Requests) => NAMES.some((name) => requests[name] > 0);

/** The sum of all requests on each node. */
export function requestsByNode(pods: readonly PodRequests[]): ReadonlyMap<string, Requests> {
  const sums = new Map<string, Requests>();
  for (const pod of pods) {
    if (pod.node === null) continue;
    const sum = sums.get(pod.node);
    sums.set(
      pod.node,
      requestsOf((name) => (sum?.[name] ?? 0) + pod[name]),
    );
  }
  return sums;
}

function requestsOf(of: (name: keyof Requests) => number): Requests {
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as unknown as Requests;
}

/** Init containers run one after another before the others; those that restart run beside them. */
function requested(spec: NonNullable<ScheduledPod["spec"]>, resource: string): number {
  const of = ({ resources = {} }: Container) =>
    quantityOf(resources.requests?.[resource] ?? resources.limits?.[resource]);
  let beside = 0;
  let most = 0;
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === "Always") beside += of(container);
    else most = Math.max(most, beside + of(container));
  }
  const running = (spec.containers ?? []).reduce((sum, each) => sum + of(each), beside);
  return Math.max(most, running) + quantityOf(spec.overhead?.[resource]);
}

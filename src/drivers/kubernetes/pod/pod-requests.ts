// What a Pod requests of its node, as the scheduler counts it. Pure.

import type { KubernetesObject } from "../client/objects.ts";
import { GPU_RESOURCES, migProfileOf } from "./gpu-families.ts";
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

interface Amounts {
  cpus: number;
  memoryBytes: number;
  diskBytes: number;
  /** Whole ones. */
  gpus: number;
}

export interface Requests extends Amounts {
  /** MIG devices, by the name of their resource; absent for none. */
  slices?: Readonly<Record<string, number>>;
}

export interface PodRequests extends Requests {
  /** Null while the Pod is not scheduled. */
  node: string | null;
}

const RESOURCES: Record<keyof Amounts, readonly string[]> = {
  cpus: ["cpu"],
  memoryBytes: ["memory"],
  diskBytes: ["ephemeral-storage"],
  gpus: GPU_RESOURCES,
};
const NAMES = Object.keys(RESOURCES) as (keyof Amounts)[];

/** A Pod that has ended requests nothing. */
export function podRequestsOf({ spec = {}, status = {} }: ScheduledPod): PodRequests {
  const isOver = status.phase === "Succeeded" || status.phase === "Failed";
  const of = (name: keyof Amounts) =>
    isOver ? 0 : RESOURCES[name].reduce((sum, each) => sum + requested(spec, each), 0);
  const slices = isOver ? [] : migResourcesIn(spec).map((name) => [name, requested(spec, name)]);
  return { node: spec.nodeName ?? null, ...amountsOf(of), ...slicesOf(slices) };
}

export const requestsAny = (requests: Requests) =>
  NAMES.some((name) => requests[name] > 0) || requests.slices !== undefined;

/** All GPUs, MIG devices among them. */
export const gpusIn = ({ gpus, slices = {} }: Requests): number =>
  Object.values(slices).reduce((sum, count) => sum + count, gpus);

const slicesOf = (slices: unknown[][]): Pick<Requests, "slices"> =>
  slices.length > 0 ? { slices: Object.fromEntries(slices) as Record<string, number> } : {};

function migResourcesIn({
  containers = [],
  initContainers = [],
}: NonNullable<ScheduledPod["spec"]>) {
  const names = [...containers, ...initContainers].flatMap(({ resources = {} }) =>
    Object.keys({ ...resources.requests, ...resources.limits }),
  );
  return [...new Set(names)].filter((name) => migProfileOf(name) !== null);
}

/** The sum of all requests on each node. */
export function requestsByNode(pods: readonly PodRequests[]): ReadonlyMap<string, Requests> {
  const sums = new Map<string, Requests>();
  for (const pod of pods) {
    if (pod.node === null) continue;
    const sum = sums.get(pod.node);
    const names = Object.keys({ ...sum?.slices, ...pod.slices });
    sums.set(pod.node, {
      ...amountsOf((name) => (sum?.[name] ?? 0) + pod[name]),
      ...slicesOf(
        names.map((name) => [name, (sum?.slices?.[name] ?? 0) + (pod.slices?.[name] ?? 0)]),
      ),
    });
  }
  return sums;
}

function amountsOf(of: (name: keyof Amounts) => number): Amounts {
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as unknown as Amounts;
}

/** Init containers run one after another before the others; those that restart run beside them. */
function requested(spec: NonNullable<ScheduledPod["spec"]>, resource: string): number {
  const of = ({ resources = {} }: Container) =>
    quantityOf(resources.requests?.[resource] ?? resources.limits?.[resource]);
  let beside = 0;
  let starting = 0;
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === "Always") beside += of(container);
    else starting = Math.max(starting, beside + of(container));
  }
  const running = (spec.containers ?? []).reduce((sum, each) => sum + of(each), beside);
  return Math.max(starting, running) + quantityOf(spec.overhead?.[resource]);
}

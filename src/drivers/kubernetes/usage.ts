// The resource usage of a node and its Pods, from the summary of its kubelet.

import type { Usage } from "../driver.ts";
import type { KubernetesCluster } from "./cluster.ts";
import { CONTAINER } from "./pod/pod-object.ts";
import type { NodePod } from "./pod/pod-view.ts";

interface NodeMemory {
  workingSetBytes?: number;
  availableBytes?: number;
}

interface Summary {
  node?: { cpu?: { time: string; usageCoreNanoSeconds?: number }; memory?: NodeMemory };
  pods: {
    podRef: { uid: string };
    network?: { rxBytes?: number; txBytes?: number };
    containers?: {
      name: string;
      cpu?: { time: string; usageCoreNanoSeconds?: number };
      memory?: { workingSetBytes?: number };
      rootfs?: { usedBytes?: number };
    }[];
  }[];
}

/** What the kubelet tells of its node; null for what it does not. */
export interface NodeUsage {
  /** CPU time of all its CPUs, in milliseconds of one. */
  cpu: { at: number; ms: number } | null;
  memoryUsedBytes: number | null;
  memoryBytes: number | null;
}

export class NodeUsageReader {
  readonly #cluster: KubernetesCluster;
  readonly #path: string;
  /** What the last reading says of the node; null if nothing runs there. */
  latest: NodeUsage | null = null;

  constructor(cluster: KubernetesCluster, node: string) {
    this.#cluster = cluster;
    this.#path = `/api/v1/nodes/${encodeURIComponent(node)}/proxy/stats/summary`;
  }

  /** One request for the node and its Pods. */
  async read(pods: NodePod[]): Promise<Usage[]> {
    this.latest = null;
    if (pods.length === 0) return [];
    const summary = await this.#cluster.client.get<Summary>(this.#path);
    this.latest = nodeUsageOf(summary);
    return podUsages(summary, pods, this.#cluster.clock.now());
  }
}

/** The kubelet measures a new container some seconds after its start; it is omitted before. */
function podUsages(summary: Summary, pods: NodePod[], now: number): Usage[] {
  const byUid = new Map(summary.pods.map((pod) => [pod.podRef.uid, pod]));
  return pods.flatMap(({ uid, workload }) => {
    const { containers = [], network } = byUid.get(uid) ?? {};
    const { cpu, memory, rootfs } = containers.find(({ name }) => name === CONTAINER) ?? {};
    if (cpu?.usageCoreNanoSeconds === undefined) return [];
    return {
      id: workload,
      at: Date.parse(cpu.time) || now,
      cpuMs: cpu.usageCoreNanoSeconds / 1e6,
      memoryBytes: memory?.workingSetBytes ?? 0,
      memoryLimitBytes: null,
      receivedBytes: network?.rxBytes ?? null,
      sentBytes: network?.txBytes ?? null,
      diskBytes: rootfs?.usedBytes ?? null,
      volumes: [],
    };
  });
}

/** A node without limits of its own has no memory that is available. */
function nodeUsageOf({ node }: Summary): NodeUsage {
  const { cpu, memory: { workingSetBytes, availableBytes } = {} } = node ?? {};
  const at = Date.parse(cpu?.time ?? "");
  const nanoseconds = cpu?.usageCoreNanoSeconds;
  const isWhole = workingSetBytes !== undefined && availableBytes !== undefined;
  return {
    cpu: nanoseconds === undefined || Number.isNaN(at) ? null : { at, ms: nanoseconds / 1e6 },
    memoryUsedBytes: workingSetBytes ?? null,
    memoryBytes: isWhole ? workingSetBytes + availableBytes : null,
  };
}

// The resource usage of Pods on a node, from the summary of its kubelet.

import type { Usage } from "../driver.ts";
import type { Cluster } from "./cluster.ts";
import { CONTAINER } from "./pod/pod-object.ts";
import type { PodView } from "./pod/pod-view.ts";

interface Summary {
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

/** The kubelet measures a new container some seconds after its start; it is omitted before. */
export async function usageOnNode(
  { client, clock }: Cluster,
  node: string,
  pods: PodView[],
): Promise<Usage[]> {
  if (pods.length === 0) return [];
  const path = `/api/v1/nodes/${encodeURIComponent(node)}/proxy/stats/summary`;
  const summary = await client.get<Summary>(path);
  const byUid = new Map(summary.pods.map((pod) => [pod.podRef.uid, pod]));
  return pods.flatMap(({ uid, workload }) => {
    const { containers = [], network } = byUid.get(uid) ?? {};
    const { cpu, memory, rootfs } = containers.find(({ name }) => name === CONTAINER) ?? {};
    if (cpu?.usageCoreNanoSeconds === undefined) return [];
    return {
      id: workload,
      at: Date.parse(cpu.time) || clock.now(),
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

// Large simulated clusters: 200 Pods at once beside `kubectl apply`, 500 nodes with 4,000 GPUs, and 1,000 nodes with 5,000
// Pods of others.

import { setTimeout as realTime } from "node:timers/promises";
import type { TestCluster } from "../../../test/fixtures/kubernetes/cluster.ts";
import { kubectl } from "./kubectl.ts";
import { eachAtOnce } from "./paper-nodes.ts";
import type { ClusterService } from "./service.ts";

const POD = {
  gpuTypeIds: ["NVIDIA A40"],
  gpuCount: 1,
  volumeInGb: 0,
  containerDiskInGb: 1,
  ports: [],
  driver: "kubernetes",
  imageName: "none",
  name: "bench",
};

export interface AtOnce {
  pods: number;
  kubectlMs: number;
  freeholdMs: number;
}

/** From the first request until all run. */
export async function measureAtOnce(
  cluster: TestCluster,
  service: ClusterService,
  pods: number,
): Promise<AtOnce> {
  const items = Array.from({ length: pods }, (_, n) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `apply-${n}`, labels: { bench: "apply" } },
    spec: {
      nodeSelector: { paper: "true" },
      containers: [
        { name: "main", image: "none", resources: { limits: { cpu: "1", "nvidia.com/gpu": "1" } } },
      ],
    },
  }));
  const applied = performance.now();
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  await kubectl(cluster, ["apply", "-f", "-"], list);
  const mine = ["pod", "-l", "bench=apply"];
  await kubectl(cluster, ["wait", "--for=condition=Ready", ...mine, "--timeout=110s"]);
  const kubectlMs = performance.now() - applied;
  await kubectl(cluster, ["delete", ...mine]);

  const requested = performance.now();
  await eachAtOnce(0, pods, () => service.call("POST", "/v1/pods", POD));
  await allRun(service, pods);
  const freeholdMs = performance.now() - requested;
  return { pods, kubectlMs, freeholdMs };
}

async function allRun(service: ClusterService, count: number): Promise<void> {
  for (;;) {
    const all: { lastStartedAt?: string }[] = await service.call("GET", "/v1/pods");
    if (all.length === count && all.every(({ lastStartedAt }) => lastStartedAt)) return;
    await realTime(50);
  }
}

export interface Settled {
  nodes: number;
  pods: number;
  /** From the start of Freehold until all nodes are online. */
  settledMs: number;
  memoryMb: number;
  cpuMsPerSecond: number;
  listMs: number;
  placeMs: number;
}

/** A restart on the cluster as it is. */
export async function measureRestart(
  service: ClusterService,
  nodes: number,
  pods: number,
): Promise<Settled> {
  await service.stop();
  const before = performance.now();
  await service.start();
  await service.nodesOnline(nodes);
  const settledMs = performance.now() - before;
  await realTime(5_000);
  const cpu = service.cpuMs;
  await realTime(10_000);
  const cpuMsPerSecond = (service.cpuMs - cpu) / 10;
  const listMs = await medianOf(9, () => service.call("GET", "/v1/machines"));
  const placeMs = await medianOf(9, () => service.call("POST", "/v1/pods", POD));
  return { nodes, pods, settledMs, memoryMb: service.memoryMb, cpuMsPerSecond, listMs, placeMs };
}

async function medianOf(times: number, call: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const before = performance.now();
    await call();
    took.push(performance.now() - before);
  }
  return took.sort((a, b) => a - b)[Math.floor(times / 2)]!;
}

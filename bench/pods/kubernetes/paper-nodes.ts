// Simulated nodes: objects with capacity, and a kubelet that says its Pods run. The API server, the scheduler
// and etcd are real; only containers are missing.

import { systemClock } from "../../../src/base/clock.ts";
import { ApiClient } from "../../../src/drivers/kubernetes/client/api-client.ts";
import type { KubernetesObject } from "../../../src/drivers/kubernetes/client/objects.ts";
import { WatchCache } from "../../../src/drivers/kubernetes/client/watch-cache.ts";
import type { TestCluster } from "../../../test/fixtures/kubernetes/cluster.ts";

interface PodObject extends KubernetesObject {
  spec: { nodeName?: string; containers: { name: string; image: string }[] };
  status?: { phase?: string };
}

const AT_ONCE = 16;
const CAPACITY = { cpu: "64", memory: "512Gi", "ephemeral-storage": "4Ti", pods: "500" };

export class PaperNodes {
  readonly client: ApiClient;
  readonly #pods: WatchCache<PodObject, PodObject>;

  /** The cluster's controllers must be stopped: they would call the nodes dead. */
  static async open(cluster: TestCluster): Promise<PaperNodes> {
    return new PaperNodes(new ApiClient(await cluster.access(), systemClock));
  }

  private constructor(client: ApiClient) {
    this.client = client;
    this.#pods = new WatchCache({
      client,
      clock: systemClock,
      path: "/api/v1/pods",
      select: (pod) => pod,
    });
    this.#pods.onChange((_, pod) => {
      // A Pod may be gone by now.
      if (pod?.spec.nodeName?.startsWith("paper-")) this.#update(pod).catch(() => {});
    });
  }

  /** Nodes with these numbers, each with 8 GPUs. */
  async add(from: number, to: number): Promise<void> {
    await eachAtOnce(from, to, async (n) => {
      const name = `paper-${n}`;
      const labels = {
        "kubernetes.io/hostname": name,
        paper: "true",
        "nvidia.com/gpu.product": "NVIDIA-A40",
        "nvidia.com/gpu.memory": "46068",
      };
      await this.client.create("/api/v1/nodes", { metadata: { name, labels } });
      const resources = { ...CAPACITY, "nvidia.com/gpu": "8" };
      await this.client.patch(`/api/v1/nodes/${name}/status`, {
        status: {
          capacity: resources,
          allocatable: resources,
          conditions: [condition("Ready")],
        },
      });
      // The API server taints new nodes.
      await this.client.patch(`/api/v1/nodes/${name}`, { spec: { taints: null } });
    });
  }

  /** Pods of others, spread over the nodes; each requests half a CPU. */
  async addPods(count: number, nodes: number): Promise<void> {
    await eachAtOnce(0, count, (n) =>
      this.client.create("/api/v1/namespaces/default/pods", {
        metadata: { name: `other-${n}`, labels: { bench: "other" } },
        spec: {
          nodeName: `paper-${n % nodes}`,
          containers: [
            {
              name: "main",
              image: "none",
              resources: { requests: { cpu: "500m", memory: "1Gi" } },
            },
          ],
        },
      }),
    );
  }

  async close(): Promise<void> {
    this.client.close();
    await this.#pods.close();
  }

  async #update({ metadata, spec, status }: PodObject): Promise<void> {
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
    if (metadata.deletionTimestamp) {
      if (status?.phase === "Running") await this.#report(path, spec, "Succeeded", ended);
      await this.client.delete(path, { gracePeriodSeconds: 0 });
    } else if (status?.phase === "Pending") {
      await this.#report(path, spec, "Running", { running: { startedAt: now() } });
    }
  }

  #report(path: string, { containers }: PodObject["spec"], phase: string, state: object) {
    const containerStatuses = containers.map(({ name, image }) => {
      return { name, image, imageID: "", ready: phase === "Running", restartCount: 0, state };
    });
    const conditions = [condition("PodScheduled"), condition("Ready", phase === "Running")];
    return this.client.patch(`${path}/status`, {
      status: { phase, startTime: now(), conditions, containerStatuses },
    });
  }
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;
const ended = {
  terminated: { exitCode: 0, reason: "Completed", startedAt: now(), finishedAt: now() },
};

const condition = (type: string, holds = true) => ({
  type,
  status: holds ? "True" : "False",
  reason: "Paper",
  message: "",
  lastTransitionTime: now(),
  lastHeartbeatTime: undefined,
});

/** Calls with the numbers from `from` to below `to`, some at once. */
export async function eachAtOnce(
  from: number,
  to: number,
  call: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < to) await call(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

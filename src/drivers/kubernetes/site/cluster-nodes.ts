// The nodes of a cluster, and what is taken of them beside the places that Freehold knows: by the Pods of others, and by
// own Pods that have lost their place and that the cluster still has.

import { Deadline, within } from "../../../base/clock.ts";
import { WatchCache } from "../client/watch-cache.ts";
import type { KubernetesCluster } from "../cluster.ts";
import { installationSelector } from "../names.ts";
import {
  type PodRequests,
  podRequestsOf,
  type Requests,
  requestsAny,
  requestsByNode,
  type ScheduledPod,
} from "../pod/pod-requests.ts";
import type { NodePod } from "../pod/pod-view.ts";
import { type NodeObject, type NodeView, nodeViewOf } from "./node-view.ts";

const SYNC_MS = 5_000;

export interface NodeUse {
  node: NodeView;
  /** What the Pods of others request of it. */
  others: Requests | undefined;
  /** What own Pods without a place request of it, by workload. */
  leaving: Record<string, Requests>;
  /** The unhealthy GPUs that own Pods on it have, by workload. */
  unhealthyGpus: Record<string, readonly string[]>;
  /** The workloads on it whose GPUs are all healthy, as the cluster says. */
  healthy: readonly string[];
}

export class ClusterNodes {
  readonly #cluster: KubernetesCluster;
  readonly #nodes: WatchCache<NodeObject, NodeView>;
  readonly #others: WatchCache<ScheduledPod, PodRequests>;

  constructor(cluster: KubernetesCluster) {
    const { client, clock, installation } = cluster;
    this.#cluster = cluster;
    this.#nodes = new WatchCache({ client, clock, path: "/api/v1/nodes", select: nodeViewOf });
    this.#others = new WatchCache({
      client,
      clock,
      path: "/api/v1/pods",
      select: podRequestsOf,
      labelSelector: installationSelector(installation).replace("=", "!="),
    });
  }

  /**
   * `withPlace` selects the workloads that hold a place. Rejects with DriverUnavailable, or the API server's refusal, if
   * they are not known now.
   */
  async list(
    withPlace: (workloads: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<NodeUse[]> {
    await this.#cluster.client.get("/version");
    await this.#synced();
    this.#nodes.requireCurrent();
    this.#others.requireCurrent();
    // Read before the places: a Pod that is created meanwhile has one.
    const own = await this.#cluster.pods();
    const placed = await withPlace(own.map(({ workload }) => workload));
    const leaving = Map.groupBy(
      own.filter(({ workload, requests }) => !placed.has(workload) && requestsAny(requests)),
      ({ requests }) => requests.node,
    );
    const reported = Map.groupBy(
      own.filter(({ gpuStates }) => gpuStates !== null),
      ({ requests }) => requests.node,
    );
    const others = requestsByNode(this.#others.values());
    return this.#nodes.values().map((node) => ({
      node,
      others: others.get(node.name),
      leaving: Object.fromEntries(
        (leaving.get(node.name) ?? []).map(({ workload, requests: { node: _, ...requests } }) => [
          workload,
          requests,
        ]),
      ),
      ...gpuHealthOf(reported.get(node.name) ?? []),
    }));
  }

  async close(): Promise<void> {
    await Promise.all([this.#nodes.close(), this.#others.close()]);
  }

  async #synced(): Promise<void> {
    if (this.#nodes.hasSynced && this.#others.hasSynced) return;
    await within(new Deadline(this.#cluster.clock, SYNC_MS), () =>
      Promise.all([this.#nodes.synced(), this.#others.synced()]),
    );
  }
}

function gpuHealthOf(pods: readonly NodePod[]): Pick<NodeUse, "unhealthyGpus" | "healthy"> {
  const of = pods.map(({ workload, gpuStates }) => [workload, gpuStates!.unhealthy] as const);
  return {
    unhealthyGpus: Object.fromEntries(of.filter(([, unhealthy]) => unhealthy.length > 0)),
    healthy: of.flatMap(([workload, unhealthy]) => (unhealthy.length === 0 ? [workload] : [])),
  };
}

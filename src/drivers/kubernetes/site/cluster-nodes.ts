// The nodes of a cluster, and what the Pods of others request of them.

import { pause } from "../../../base/clock.ts";
import { WatchCache } from "../client/watch-cache.ts";
import type { Cluster } from "../cluster.ts";
import { installationSelector } from "../names.ts";
import {
  type PodRequests,
  podRequestsOf,
  type Requests,
  requestsByNode,
  type ScheduledPod,
} from "../pod/pod-requests.ts";
import { type NodeObject, type NodeView, nodeViewOf } from "./node-view.ts";

const SYNC_MS = 5_000;

export class ClusterNodes {
  readonly #cluster: Cluster;
  readonly #nodes: WatchCache<NodeObject, NodeView>;
  readonly #others: WatchCache<ScheduledPod, PodRequests>;

  constructor(cluster: Cluster) {
    const { client, clock, installation } = cluster;
    this.#cluster = cluster;
    this.#nodes = new WatchCache({ client, clock, path: "/api/v1/nodes", select: nodeViewOf });
    this.#others = new WatchCache({
      ...{ client, clock, path: "/api/v1/pods", select: podRequestsOf },
      labelSelector: installationSelector(installation).replace("=", "!="),
    });
  }

  /** Rejects with DriverUnavailable, or the API server's refusal, if they are not known now. */
  async list(): Promise<{ node: NodeView; others: Requests | undefined }[]> {
    await this.#cluster.client.get("/version");
    await this.#synced();
    this.#nodes.requireCurrent();
    this.#others.requireCurrent();
    const requests = requestsByNode(this.#others.values());
    return this.#nodes.values().map((node) => ({ node, others: requests.get(node.name) }));
  }

  async close(): Promise<void> {
    await Promise.all([this.#nodes.close(), this.#others.close()]);
  }

  async #synced(): Promise<void> {
    if (this.#nodes.hasSynced && this.#others.hasSynced) return;
    const giveUp = new AbortController();
    await Promise.race([
      Promise.all([this.#nodes.synced(), this.#others.synced()]),
      pause(this.#cluster.clock, SYNC_MS, giveUp.signal),
    ]);
    giveUp.abort();
  }
}

// The state of a managed cluster: what is missing in it, and what a probe of its connections proved. It is stored with the
// nodes' machines, and renewed whenever a replica begins to manage the cluster: what is missing every five minutes, the rest
// each hour, with the quotas of accounts. What is proven is not probed again.

import { HOUR_MS, MINUTE_MS } from "../../base/units.ts";
import type { ClusterState } from "../../domain/machine/cluster-probe.ts";
import type { AccountQuota, RemoteMachine } from "../../domain/machine/remote.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { ApiError } from "../../drivers/kubernetes/client/api-error.ts";
import type { KubernetesCluster } from "../../drivers/kubernetes/cluster.ts";
import { limitNamespaces } from "../../drivers/kubernetes/site/account-quotas.ts";
import { probeConnections } from "../../drivers/kubernetes/site/connection-probe.ts";
import { clusterNotices } from "../../drivers/kubernetes/site/notices.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import type { Parts } from "../service-parts.ts";

const NOTICES_MS = 5 * MINUTE_MS;
const AGAIN_MS = HOUR_MS;

export class ClusterProbing {
  readonly #parts: Parts;
  readonly #remote: string;
  readonly #cluster: KubernetesCluster;
  readonly #accountQuota: AccountQuota;
  readonly #stopped = new AbortController();
  #state: ClusterState | undefined;
  #running: Promise<void> | null = null;
  #noticesAt = 0;
  #renewAt = 0;

  constructor(parts: Parts, { id, offer }: RemoteMachine, cluster: KubernetesCluster) {
    this.#parts = parts;
    this.#remote = id;
    this.#cluster = cluster;
    this.#accountQuota = offer.cluster?.accountQuota ?? {};
  }

  /** Undefined before it was read once. */
  get state(): ClusterState | undefined {
    return this.#state;
  }

  /** Renews the state. Call it whenever the cluster answers. */
  async renewIfDue(publicUrl: string): Promise<void> {
    const { clock } = this.#parts;
    if (this.#running || clock.ticks() < this.#noticesAt) return;
    this.#noticesAt = clock.ticks() + NOTICES_MS;
    const { probe } = this.#state ?? (await this.#earlier()) ?? {};
    await this.#renewNotices(probe);
    if (clock.ticks() < this.#renewAt) return;
    this.#renewAt = clock.ticks() + AGAIN_MS;
    await this.#limitAccounts();
    if (probe?.isolation === "proven" && probe.callsBack) return;
    this.#running = this.#probe(publicUrl).finally(() => {
      this.#running = null;
    });
  }

  /** A state that is the same stays the same object, and its nodes need no new description. */
  async #renewNotices(probe: ClusterState["probe"]): Promise<void> {
    const notices = await clusterNotices(this.#cluster.client);
    if (JSON.stringify(notices) === JSON.stringify(this.#state?.notices)) return;
    this.#state = { notices, ...(probe && { probe }) };
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #limitAccounts(): Promise<void> {
    await limitNamespaces(this.#cluster, this.#accountQuota).catch((err) => {
      // A missing permission is among the notices.
      if (!(err instanceof ApiError) || err.status !== 403) throw err;
      this.#parts.log.warn(
        { err, cluster: this.#remote },
        "cannot limit the accounts of a cluster",
      );
    });
  }

  async #earlier(): Promise<ClusterState | undefined> {
    const machines = await this.#parts.store.read(knownMachines);
    const nodes = machines.map(({ inventory }) => inventory.node);
    return nodes.find((node) => node?.remote === this.#remote && node.cluster)?.cluster;
  }

  async #probe(publicUrl: string): Promise<void> {
    const { config, ids, log } = this.#parts;
    const { signal } = this.#stopped;
    const options = { cluster: this.#cluster, image: config.probeImage, publicUrl };
    try {
      const id = ids.short(8);
      const probe = await probeConnections({ ...options, id, signal });
      this.#state = { ...this.#state!, probe };
      log.info({ cluster: this.#remote, ...probe }, "probed a cluster");
    } catch (err) {
      if (signal.aborted) return;
      if (err instanceof DriverUnavailable) this.#noticesAt = this.#renewAt = 0;
      log.warn({ err, cluster: this.#remote }, "cannot probe a cluster");
    }
  }
}

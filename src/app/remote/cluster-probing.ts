// The probe of a managed cluster. What an earlier probe proved is stored with the nodes' machines; anything else is probed
// again each hour, and whenever a replica begins to manage the cluster.

import type { ClusterProbe } from "../../domain/machine/cluster-probe.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import type { Cluster } from "../../drivers/kubernetes/cluster.ts";
import { probeConnections } from "../../drivers/kubernetes/site/connection-probe.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import type { Parts } from "../service-parts.ts";

const AGAIN_MS = 60 * 60_000;

export class ClusterProbing {
  readonly #parts: Parts;
  readonly #remote: string;
  readonly #cluster: Cluster;
  readonly #stopped = new AbortController();
  #result: ClusterProbe | undefined;
  #running: Promise<void> | null = null;
  #probeAt = 0;

  constructor(parts: Parts, remote: string, cluster: Cluster) {
    this.#parts = parts;
    this.#remote = remote;
    this.#cluster = cluster;
  }

  /** Undefined before the first probe has ended. */
  get result(): ClusterProbe | undefined {
    return this.#result;
  }

  /** Probes if there is something to prove. Call it whenever the cluster answers. */
  async beginIfDue(publicUrl: string): Promise<void> {
    const { clock } = this.#parts;
    if (this.#running || clock.now() < this.#probeAt) return;
    this.#probeAt = clock.now() + AGAIN_MS;
    this.#result ??= await this.#earlier();
    if (this.#result?.isolation === "proven" && this.#result.callsBack) return;
    this.#running = this.#probe(publicUrl).finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #earlier(): Promise<ClusterProbe | undefined> {
    const machines = await this.#parts.store.read(knownMachines);
    const nodes = machines.map(({ inventory }) => inventory.node);
    return nodes.find((node) => node?.remote === this.#remote && node.probe)?.probe;
  }

  async #probe(publicUrl: string): Promise<void> {
    const { config, ids, log } = this.#parts;
    const { signal } = this.#stopped;
    const options = { cluster: this.#cluster, image: config.probeImage, publicUrl };
    try {
      const id = ids.short(8);
      this.#result = await probeConnections({ ...options, id, signal });
      log.info({ cluster: this.#remote, ...this.#result }, "probed a cluster");
    } catch (err) {
      if (signal.aborted) return;
      if (err instanceof DriverUnavailable) this.#probeAt = 0;
      log.warn({ err, cluster: this.#remote }, "cannot probe a cluster");
    }
  }
}

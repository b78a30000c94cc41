// One cluster, shared by the drivers of its nodes: a client, and a copy of this installation's Pods.

import { type Clock, Deadline, pause, within } from "../../base/clock.ts";
import { ApiClient } from "./client/api-client.ts";
import { ApiError } from "./client/api-error.ts";
import type { ClusterAccess } from "./client/kubeconfig.ts";
import { WatchCache } from "./client/watch-cache.ts";
import { installationSelector } from "./names.ts";
import { PodIndex } from "./pod/pod-index.ts";
import { type NodePod, type PodObject, podViewOf } from "./pod/pod-view.ts";

type PodListener = (current: NodePod | null, previous: NodePod | null) => void;

export class KubernetesCluster {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly installation: string;
  readonly #pods: WatchCache<PodObject, NodePod>;
  readonly #index = new PodIndex();
  readonly #onMachines = new Map<string, Set<PodListener>>();

  constructor(access: ClusterAccess, clock: Clock, installation: string) {
    this.client = new ApiClient(access, clock);
    this.clock = clock;
    this.installation = installation;
    this.#pods = new WatchCache({
      client: this.client,
      clock,
      path: "/api/v1/pods",
      labelSelector: installationSelector(installation),
      select: podViewOf,
    });
    // The first listener: the others find the index current.
    this.onChange((current, previous) => {
      this.#index.update(current, previous);
      const { machine } = (current ?? previous)!;
      for (const listener of this.#onMachines.get(machine) ?? []) listener(current, previous);
    });
  }

  /** The Pods of this installation. Rejects with DriverUnavailable if they are not known. */
  async pods(): Promise<NodePod[]> {
    await this.#current();
    return this.#pods.values();
  }

  /** The Pods on one machine, named by its digest. */
  async podsOn(machine: string): Promise<NodePod[]> {
    await this.#current();
    return this.#index.onMachine(machine);
  }

  /** The machine's Pods as they were observed last. */
  onMachineNow(machine: string): NodePod[] {
    return this.#index.onMachine(machine);
  }

  async #current(): Promise<void> {
    if (!this.#pods.hasSynced)
      await within(new Deadline(this.clock, SYNC_MS), () => this.#pods.synced());
    this.#pods.requireCurrent();
  }

  /** The Pod as last observed. Names are digests, so they are unique in the cluster. */
  findNamed(name: string): NodePod | undefined {
    return this.#index.named(name);
  }

  find(namespace: string, name: string): NodePod | undefined {
    return this.#pods.get(`${namespace}/${name}`);
  }

  /** The digests of the machines that have Pods. Rejects as `pods` does. */
  async busyMachines(): Promise<string[]> {
    await this.#current();
    return this.#index.machines();
  }

  /** Does for the Pods of one machine, named by its digest, what `onChange` does for all. */
  onMachine(machine: string, listener: PodListener): () => void {
    const listeners = this.#onMachines.get(machine) ?? new Set();
    this.#onMachines.set(machine, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#onMachines.delete(machine);
    };
  }

  onChange(listener: PodListener): () => void {
    return this.#pods.onChange((_, current, previous) => listener(current, previous));
  }

  /** Resolves once `holds` is true, which is asked again after each change of a Pod. */
  async until(holds: () => boolean, limitMs: number, signal?: AbortSignal): Promise<boolean> {
    if (holds()) return true;
    const over = new AbortController();
    const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const unsubscribe = this.onChange(() => holds() && over.abort());
    try {
      await pause(this.clock, limitMs, either);
      return holds();
    } finally {
      unsubscribe();
      over.abort();
    }
  }

  async close(): Promise<void> {
    this.client.close();
    await this.#pods.close();
  }
}

const SYNC_MS = 5_000;

/** Null if the API server refuses with one of these statuses. */
export async function unless<T>(response: Promise<T>, ...statuses: number[]): Promise<T | null> {
  return response.catch((error) => {
    if (error instanceof ApiError && statuses.includes(error.status)) return null;
    throw error;
  });
}

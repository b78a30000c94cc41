// Resolves requests for a Pod's HTTP ports to connections. A running container is cached between requests; a
// commit that changes the Pod refreshes the entry, and its connections are aborted if the container is over.

import type { Duplex } from "node:stream";
import { httpPorts } from "../../domain/container/ports.ts";
import { type Unreached, unreached } from "../../domain/container/unreachable-port.ts";
import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPod } from "../../store/pod/row.ts";
import { type DialDeps, dialPod, locationOf } from "./dial.ts";

/** One port of a running container. */
export interface PodConnection {
  readonly podId: string;
  readonly port: number;
  /** Aborts when the container is to end or has ended. */
  readonly over: AbortSignal;
  /** Rejects with NotReached. */
  dial(): Promise<Duplex>;
}

export class Reach {
  readonly #deps: { store: Store } & DialDeps;
  /** Holds running Pods only, which bounds its size. */
  readonly #containers = new Map<string, CachedContainer>();
  readonly #lookups = new Map<string, Promise<CachedContainer>>();

  constructor(deps: { store: Store } & DialDeps) {
    this.#deps = deps;
  }

  /** Synchronous if the container is cached. Fails with pod_not_found, port_not_found or pod_unreachable. */
  podConnection(podId: string, port: number): PodConnection | Promise<PodConnection> {
    const cached = this.#containers.get(podId);
    if (cached && !cached.stale) return cached.podConnection(port);
    return this.#lookUp(podId).then((container) => container.podConnection(port));
  }

  /** Aborts all connections. */
  close(): void {
    for (const container of this.#containers.values()) container.end();
    this.#containers.clear();
  }

  #lookUp(podId: string): Promise<CachedContainer> {
    const lookup = this.#lookups.get(podId) ?? this.#read(podId);
    this.#lookups.set(podId, lookup);
    return lookup;
  }

  /** Subscribes before it reads, and reads again if the Pod changes meanwhile. */
  async #read(podId: string): Promise<CachedContainer> {
    const { store } = this.#deps;
    const subscription = store.notifier.subscribe(topic.pod(podId));
    try {
      for (;;) {
        const pod = await store.read(findPod, podId);
        if (!subscription.signalled) return this.#cache(podId, pod);
        await subscription.wait(this.#deps.clock, 0);
      }
    } finally {
      subscription.close();
      this.#lookups.delete(podId);
    }
  }

  #cache(podId: string, pod: Pod | undefined): CachedContainer {
    const before = this.#containers.get(podId);
    if (before && pod && before.isOf(pod)) {
      before.stale = false;
      return before;
    }
    before?.end();
    this.#containers.delete(podId);
    if (!pod || pod.desired.state === "TERMINATED") throw new Fault("pod_not_found", { id: podId });
    const container = new CachedContainer(this.#deps, pod);
    if (container.unreachable === null) {
      this.#containers.set(podId, container);
      container.unsubscribe = this.#deps.store.notifier.on(topic.pod(podId), () => {
        container.stale = true;
        // If the store is unavailable, the next request looks it up again.
        this.#lookUp(podId).catch(() => {});
      });
    }
    return container;
  }
}

/** A Pod's container as it was read last, with the connections to its ports. */
class CachedContainer {
  stale = false;
  unsubscribe = () => {};
  /** Why no port of it can be reached; null if they can. */
  readonly unreachable: Unreached | null;
  readonly #deps: DialDeps;
  readonly #pod: Pod;
  readonly #ports: ReadonlySet<number>;
  readonly #over = new AbortController();
  readonly #connections = new Map<number, PodConnection>();

  constructor(deps: DialDeps, pod: Pod) {
    this.#deps = deps;
    this.#pod = pod;
    this.#ports = new Set(httpPorts(pod.desired.spec.ports));
    this.unreachable = unreachableReason(pod);
  }

  /** Whether the Pod still runs this container. */
  isOf(pod: Pod): boolean {
    const { startedGeneration, startedAt } = this.#pod.observed;
    return (
      unreachableReason(pod) === null &&
      pod.observed.startedGeneration === startedGeneration &&
      pod.observed.startedAt === startedAt
    );
  }

  podConnection(port: number): PodConnection {
    const { id: podId } = this.#pod;
    if (!this.#ports.has(port)) throw new Fault("port_not_found", { id: podId, port });
    if (this.unreachable !== null) throw notReached(podId, port, this.unreachable);
    const existing = this.#connections.get(port);
    if (existing) return existing;
    const dial = () => dialPod(this.#deps, locationOf(this.#pod), port);
    const podConnection: PodConnection = { podId, port, over: this.#over.signal, dial };
    this.#connections.set(port, podConnection);
    return podConnection;
  }

  end(): void {
    this.unsubscribe();
    this.#over.abort();
  }
}

function unreachableReason({ desired, observed }: Pod): Unreached | null {
  if (desired.state !== "RUNNING") return "stopped";
  const isCurrent = observed.startedGeneration === desired.generation;
  return observed.state === "running" && isCurrent ? null : "starting";
}

export function notReached(podId: string, port: number, why: Unreached): Fault {
  return new Fault("pod_unreachable", { id: podId, port, why: unreached[why] });
}

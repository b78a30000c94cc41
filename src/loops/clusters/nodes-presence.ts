// Sends the heartbeats of a cluster's nodes as long as its API server answers. A node that is not ready is silent, and
// one that left the cluster is forgotten.

import type { Clock } from "../../base/clock.ts";
import type { GpuLimits } from "../../domain/gpu/checks.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Store } from "../../store/engine/store.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import type { Replica } from "../../store/replica/replica.ts";
import { workersToDrainOn } from "../../store/replica/upkeep.ts";
import { drainWorkersOn } from "../../transactions/machine/drain.ts";
import { forgetNode } from "../../transactions/machine/forget-node.ts";
import { recordTrouble } from "../../transactions/machine/record-trouble.ts";
import { heartbeatNode } from "../../transactions/replica/heartbeat-node.ts";
import { heartbeatUnchanged } from "../../transactions/replica/membership.ts";
import type { Loop } from "../engine/loop.ts";

export interface NodeMachine {
  machine: string;
  name: string;
  isReady: boolean;
  /** Where its public ports are reached; null if it declares none. */
  address: string | null;
  /** Its workers finish their jobs and end. */
  isCordoned: boolean;
  /** The workloads on it whose GPUs are all healthy, as the cluster says. */
  healthy: readonly string[];
  /** What containers request for a GPU. */
  gpuResource: string;
  /** What Freehold may use of it. */
  inventory: Inventory;
  /** The inventory without regard to what others use, so that it rarely changes. */
  whole: Inventory;
}

export interface NodesPresenceDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  remote: RemoteMachine;
  replicaId: string;
  limits: Pick<GpuLimits, "quarantinedPods">;
  /** The nodes of the cluster. Rejects with the sentence that says why nothing may be placed there. */
  nodes(): Promise<NodeMachine[]>;
  /** The node's row in the replica table. */
  seatOf(node: NodeMachine): Omit<Replica, "inventory">;
  /** Starts the loops of nodes; restarts those that run. */
  startLoops(nodes: readonly NodeMachine[]): Promise<void>;
  stopLoops(machine: string): Promise<void>;
}

export function nodesPresenceLoop(deps: NodesPresenceDeps): Loop {
  const { heartbeatMs } = deps.heartbeatTiming;
  const presence = new NodesPresence(deps);
  return {
    name: "nodes",
    shared: false,
    periodMs: heartbeatMs,
    restMs: heartbeatMs / 2,
    topics: [],
    async run() {
      await presence.renew();
      return null;
    },
  };
}

class NodesPresence {
  readonly #deps: NodesPresenceDeps;
  #recordedTrouble: string | null;
  #present = "";
  /** The last inventory that was stored of each node. */
  readonly #stored = new Map<string, Inventory>();
  /** The nodes that were stored, until their loops are started: a pass that fails leaves them to the next. */
  readonly #entered = new Map<string, NodeMachine>();
  /** What the loops of each node were started with. */
  readonly #started = new Map<string, string>();

  constructor(deps: NodesPresenceDeps) {
    this.#deps = deps;
    this.#recordedTrouble = deps.remote.trouble;
  }

  async renew(): Promise<void> {
    let nodes: NodeMachine[];
    try {
      nodes = await this.#deps.nodes();
    } catch (error) {
      await this.#record((error as Error).message);
      throw error;
    }
    const ready = nodes.filter(({ isReady }) => isReady);
    if (ready.length === 0) await this.#record("The cluster has no node that is ready.");
    const others = await this.#heartbeatUnchanged(ready);
    // A node whose write fails does not keep the others from their loops.
    const writes = await Promise.allSettled(others.map((node) => this.#enter(node)));
    await this.#startEntered();
    for (const { machine, isCordoned } of ready) if (isCordoned) await this.#drain(machine);
    await this.#forgetAbsent(nodes);
    const failure = writes.find((each) => each.status === "rejected");
    if (failure) throw failure.reason;
  }

  async #record(trouble: string): Promise<void> {
    const { store, remote } = this.#deps;
    if (trouble !== this.#recordedTrouble) await store.write(recordTrouble, remote.id, trouble);
    this.#recordedTrouble = trouble;
  }

  /** One heartbeat for all nodes that are as they were stored; resolves to the others. */
  async #heartbeatUnchanged(ready: readonly NodeMachine[]): Promise<NodeMachine[]> {
    const { store, clock, remote, replicaId, seatOf } = this.#deps;
    const ids = ready
      .filter(({ machine, inventory }) => this.#stored.get(machine) === inventory)
      .map((node) => seatOf(node).id);
    const now = clock.now();
    const known = new Set(await store.write(heartbeatUnchanged, ids, remote.id, replicaId, now));
    if (known.size > 0) this.#recordedTrouble = null;
    return ready.filter((node) => !known.has(seatOf(node).id));
  }

  async #enter(node: NodeMachine): Promise<void> {
    const { store, clock, remote, replicaId, seatOf, limits } = this.#deps;
    const { machine, inventory, healthy } = node;
    const seat = { ...seatOf(node), inventory };
    const leader = { remoteId: remote.id, replicaId };
    const at = { now: clock.now(), limits };
    if (!(await store.write(heartbeatNode, seat, healthy, leader, at))) return;
    this.#recordedTrouble = null;
    this.#stored.set(machine, inventory);
    this.#entered.set(machine, node);
  }

  async #startEntered(): Promise<void> {
    const textOf = ({ whole }: NodeMachine) => JSON.stringify(whole);
    const changed = [...this.#entered.values()].filter(
      (node) => this.#started.get(node.machine) !== textOf(node),
    );
    if (changed.length > 0) await this.#deps.startLoops(changed);
    for (const node of changed) this.#started.set(node.machine, textOf(node));
    this.#entered.clear();
  }

  async #drain(machine: string): Promise<void> {
    const { store, clock } = this.#deps;
    const workers = await store.read(workersToDrainOn, machine);
    if (workers.length > 0) await store.write(drainWorkersOn, machine, clock.now());
  }

  async #forgetAbsent(all: readonly NodeMachine[]): Promise<void> {
    const { store, clock, remote, stopLoops } = this.#deps;
    const machines = new Set(all.map(({ machine }) => machine));
    const text = [...machines].sort().join();
    if (text === this.#present) return;
    for (const { machine, inventory } of await store.read(knownMachines)) {
      if (inventory.node?.remote !== remote.id || machines.has(machine)) continue;
      this.#entered.delete(machine);
      this.#started.delete(machine);
      this.#stored.delete(machine);
      await stopLoops(machine);
      await store.write(forgetNode, machine, clock.now());
    }
    this.#present = text;
  }
}

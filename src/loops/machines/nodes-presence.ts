// Sends the heartbeats of a cluster's nodes as long as its API server answers. A node that is not ready is silent, and
// one that left the cluster is forgotten.

import type { Clock } from "../../base/clock.ts";
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
import { heartbeatManaged } from "../../transactions/replica/membership.ts";
import type { Loop } from "../engine/loop.ts";

export interface NodeMachine {
  machine: string;
  name: string;
  isReady: boolean;
  /** Where its public ports are reached; null if it declares none. */
  address: string | null;
  /** Its workers finish their jobs and end. */
  isCordoned: boolean;
  /** What containers request for a GPU. */
  gpuResource: string;
  /** What Freehold may use of it. */
  inventory: Inventory;
  /** The same without regard to what others use, so that it rarely changes. */
  whole: Inventory;
}

export interface NodesPresenceDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  remote: RemoteMachine;
  replicaId: string;
  /** The nodes of the cluster. Rejects with the sentence that says why nothing may be placed there. */
  nodes(): Promise<NodeMachine[]>;
  /** The node's row in the replica table. */
  seatOf(node: NodeMachine): Omit<Replica, "inventory">;
  /** Starts the loops of nodes; restarts those that run. */
  startLoops(nodes: readonly NodeMachine[]): Promise<void>;
  stopLoops(machine: string): Promise<void>;
}

export function nodesPresenceLoop(deps: NodesPresenceDeps): Loop {
  const { store, clock, heartbeatTiming, remote, replicaId } = deps;
  let recordedTrouble = remote.trouble;
  let present = "";
  /** What the loops of each node were started with. */
  const started = new Map<string, string>();
  const record = async (trouble: string) => {
    if (trouble !== recordedTrouble) await store.write(recordTrouble, remote.id, trouble);
    recordedTrouble = trouble;
  };
  /** Resolves to the node if its loops are to be started. */
  const enter = async (node: NodeMachine): Promise<NodeMachine[]> => {
    const seat = { ...deps.seatOf(node), inventory: node.inventory };
    if (!(await store.write(heartbeatManaged, seat, remote.id, replicaId, clock.now()))) return [];
    recordedTrouble = null;
    if (node.isCordoned) await drainNode(node.machine);
    const text = JSON.stringify(node.whole);
    if (started.get(node.machine) === text) return [];
    started.set(node.machine, text);
    return [node];
  };
  const drainNode = async (machine: string) => {
    const workers = await store.read(workersToDrainOn, machine);
    if (workers.length > 0) await store.write(drainWorkersOn, machine, clock.now());
  };
  const forgetAbsent = async (all: NodeMachine[]) => {
    const machines = new Set(all.map(({ machine }) => machine));
    const text = [...machines].sort().join();
    if (text === present) return;
    for (const { machine, inventory } of await store.read(knownMachines)) {
      if (inventory.node?.remote !== remote.id || machines.has(machine)) continue;
      started.delete(machine);
      await deps.stopLoops(machine);
      await store.write(forgetNode, machine, clock.now());
    }
    present = text;
  };
  return {
    name: "nodes",
    shared: false,
    periodMs: heartbeatTiming.heartbeatMs,
    restMs: heartbeatTiming.heartbeatMs / 2,
    topics: [],
    async run() {
      let nodes: NodeMachine[];
      try {
        nodes = await deps.nodes();
      } catch (error) {
        await record((error as Error).message);
        throw error;
      }
      const ready = nodes.filter(({ isReady }) => isReady);
      if (ready.length === 0) await record("The cluster has no node that is ready.");
      const changed = (await Promise.all(ready.map(enter))).flat();
      if (changed.length > 0) await deps.startLoops(changed);
      await forgetAbsent(nodes);
      return null;
    },
  };
}

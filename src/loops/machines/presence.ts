// Sends the heartbeat of a remote machine as long as its engine answers. When the engine answers again after
// an outage, the machine is inspected again.

import type { Clock } from "../../base/clock.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Store } from "../../store/engine/store.ts";
import type { Replica } from "../../store/replica/replica.ts";
import { recordTrouble } from "../../transactions/machine/record-trouble.ts";
import { heartbeatManaged } from "../../transactions/replica/membership.ts";
import type { Loop } from "../engine/loop.ts";

export interface PresenceDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  remote: RemoteMachine;
  /** The machine's row in the replica table. */
  seat: Omit<Replica, "inventory">;
  replicaId: string;
  /** Rejects if the engine does not answer. */
  ping(): Promise<unknown>;
  /** Rejects with the sentence that says why nothing may be placed on the machine. */
  inspect(): Promise<Inventory>;
  /** Starts the loops of the machine; restarts them if they run. */
  startLoops(inventory: Inventory): Promise<void>;
}

export function presenceLoop(deps: PresenceDeps): Loop {
  const { store, clock, heartbeatTiming, remote, seat, replicaId } = deps;
  let recordedTrouble = remote.trouble;
  let isInspected = false;
  let inventory: Inventory | null = null;
  let startedWith: Inventory | null = null;
  // The machine's loops change what it offers in place, and go on with it unless something else has changed.
  const inspect = async () => {
    const inspected = await deps.inspect();
    if (JSON.stringify(inspected) !== JSON.stringify(inventory)) inventory = inspected;
    isInspected = true;
  };
  const record = async (trouble: string) => {
    if (trouble !== recordedTrouble) await store.write(recordTrouble, remote.id, trouble);
    recordedTrouble = trouble;
  };
  return {
    name: "presence",
    shared: false,
    periodMs: heartbeatTiming.heartbeatMs,
    restMs: heartbeatTiming.heartbeatMs / 2,
    topics: [],
    async run() {
      try {
        await deps.ping();
        if (!isInspected) await inspect();
      } catch (error) {
        isInspected = false;
        await record((error as Error).message);
        throw error;
      }
      const offered = inventory!;
      const entered = { ...seat, inventory: offered };
      if (!(await store.write(heartbeatManaged, entered, remote.id, replicaId, clock.now())))
        return null;
      recordedTrouble = null;
      if (offered !== startedWith) await deps.startLoops(offered);
      startedWith = offered;
      return null;
    },
  };
}

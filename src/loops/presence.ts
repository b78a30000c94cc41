// Says for a machine at an address of its own that it is there, while it is: its engine is asked with
// every beat, and once it answers again after a silence the machine is looked at anew.

import type { Clock } from "../base/clock.ts";
import type { Inventory } from "../domain/machine/inventory.ts";
import { attendDuty, type RemoteMachine } from "../domain/machine/remote.ts";
import type { Rhythm } from "../domain/replica/rhythm.ts";
import { noteTrouble } from "../store/replica/remote-machine.ts";
import { beatAttended, type Replica } from "../store/replica/replica.ts";
import type { Store } from "../store/store.ts";
import type { Loop } from "./loop.ts";

export interface PresenceDeps {
  store: Store;
  clock: Clock;
  rhythm: Rhythm;
  remote: RemoteMachine;
  /** Its row among the replicas. */
  seat: Omit<Replica, "inventory">;
  replicaId: string;
  /** Rejects where the engine does not answer. */
  answers(): Promise<unknown>;
  /** What it offers; rejects with the sentence that says why nothing may be placed on it. */
  look(): Promise<Inventory>;
  /** Begins to make true what is wanted there, anew where it had begun. */
  work(inventory: Inventory): Promise<void>;
}

export function presenceLoop(deps: PresenceDeps): Loop {
  const { store, clock, rhythm, remote, seat, replicaId } = deps;
  let told = remote.trouble;
  let worked = "";
  let inventory: Inventory | null = null;
  const tell = async (trouble: string | null) => {
    if (trouble !== told) await store.write(noteTrouble, remote.id, trouble);
    told = trouble;
  };
  return {
    name: "presence",
    shared: false,
    periodMs: rhythm.beatMs,
    restMs: rhythm.beatMs / 2,
    topics: [],
    async turn() {
      try {
        await deps.answers();
        inventory ??= await deps.look();
      } catch (error) {
        inventory = null;
        await tell((error as Error).message);
        throw error;
      }
      const duty = attendDuty(remote.id);
      const entered = { ...seat, inventory };
      if (!(await store.write(beatAttended, entered, duty, replicaId, clock.now()))) return null;
      await tell(null);
      const text = JSON.stringify(inventory);
      if (text !== worked) await deps.work(inventory);
      worked = text;
      return null;
    },
  };
}

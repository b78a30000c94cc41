// Sends this replica's heartbeat, renews its leaderships and refreshes the list of machines.

import type { Clock } from "../../base/clock.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Store } from "../../store/engine/store.ts";
import type { Replica } from "../../store/replica/replica.ts";
import { heartbeat, heartbeatWithoutMachine } from "../../transactions/replica/membership.ts";
import type { Leaderships } from "../engine/leadership.ts";
import type { Loop } from "../engine/loop.ts";

export interface HeartbeatDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  replica: Replica;
  leaderships: Leaderships;
  refreshMachines: () => Promise<void>;
  /** True while a fault keeps the replica's machine silent. */
  isMachineSilent: () => boolean;
  /** Called when another replica has the machine: the two would run each workload twice. */
  onReplaced: () => void;
}

export function heartbeatLoop(deps: HeartbeatDeps): Loop {
  const { store, clock, heartbeatTiming, replica, leaderships, refreshMachines } = deps;
  return {
    name: "beat",
    shared: false,
    periodMs: heartbeatTiming.heartbeatMs,
    restMs: heartbeatTiming.heartbeatMs / 2,
    topics: [],
    async run() {
      const [now, ticks] = [clock.now(), clock.ticks()];
      const { leaseMs } = heartbeatTiming;
      const renewed = deps.isMachineSilent()
        ? await store.write(heartbeatWithoutMachine, replica.id, now, leaseMs)
        : await store.write(heartbeat, replica, now, heartbeatTiming);
      if (renewed === null) {
        deps.onReplaced();
        return null;
      }
      leaderships.renew(renewed, ticks + leaseMs);
      await refreshMachines();
      return null;
    },
  };
}

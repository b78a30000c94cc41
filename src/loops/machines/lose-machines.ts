// Marks machines that stopped reporting as lost: their workers are marked as ended and the workers'
// jobs are requeued. Pods that should not run there are not billed any longer. Anything that still
// runs there is ended when the machine reports again.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { lostMachines } from "../../domain/replica/lost-machines.ts";
import type { Store } from "../../store/engine/store.ts";
import { billedUnseen } from "../../store/pod/unseen-end.ts";
import { machinesInUse } from "../../store/replica/replica.ts";
import type { Lost } from "../../store/worker/lost.ts";
import { drainWorkers } from "../../transactions/machine/drain.ts";
import { loseMachine, markLost } from "../../transactions/machine/lose.ts";
import { endUnseen } from "../../transactions/pod/end-unseen.ts";
import {
  correctHeartbeats,
  forgetSilentReplicas,
} from "../../transactions/replica/correct-heartbeats.ts";
import { Watch } from "../engine/connected-since.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

interface Deps {
  store: Store;
  clock: Clock;
  log: Logger;
  protocol: Protocol;
  heartbeatTiming: HeartbeatTiming;
  /** True for the machine of this replica, which is not lost: its heartbeats may just be written late. */
  isHere: (machine: string) => boolean;
}

export function machinesLoop({ store, clock, log, protocol, heartbeatTiming, isHere }: Deps): Loop {
  const { goneMs } = heartbeatTiming;
  const watch = new Watch(clock);
  return {
    name: "machines",
    shared: true,
    periodMs: 1_000,
    // No longer than what a moved clock takes for a rest: with more, its passes lie too far apart to hear silence.
    restMs: 100,
    topics: [],
    async run() {
      const now = clock.now();
      await store.write(correctHeartbeats, now + goneMs, now);
      const known = await store.read(machinesInUse);
      const inUse = known.filter(({ machine }) => !isHere(machine));
      const since = watch.recordPass();
      const each = new Each();
      const lose = async (which: Lost, silentMs: number) => {
        for (const machine of lostMachines(inUse, now, since, silentMs)) {
          const workers = await each.try(() =>
            store.write(loseMachine, machine, which, now - silentMs, now),
          );
          if (workers)
            log.error({ machine, workers, which }, "workers of an offline machine are lost");
        }
      };
      // Workers that were not started yet are lost first, so that others replace them soon.
      await lose("not_started", goneMs);
      await lose("all", protocol.machineLostMs);
      const heard = now - protocol.machineLostMs;
      if (since <= heard) await store.write(markLost, heard, now);
      for (const id of await store.read(billedUnseen)) {
        await each.try(() => store.write(endUnseen, id, now));
      }
      await store.write(drainWorkers, now);
      await store.write(forgetSilentReplicas, now - 2 * protocol.machineLostMs);
      return each.end(null);
    },
  };
}

// Gives up machines that nobody has any more: what ran on them is lost, and its jobs are taken back
// as those of any worker that ended. What runs there all the same is ended when the machine is back.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { Protocol } from "../domain/protocol.ts";
import { lostMachines } from "../domain/replica/lost-machines.ts";
import type { Rhythm } from "../domain/replica/rhythm.ts";
import { type Lost, loseMachine } from "../store/replica/lose-machine.ts";
import { forgetReplicas, machinesInUse, markLost } from "../store/replica/replica.ts";
import { drainWorkers } from "../store/replica/upkeep.ts";
import type { Store } from "../store/store.ts";
import type { Loop } from "./loop.ts";
import { Watch } from "./watch.ts";

interface Deps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
  protocol: Protocol;
  rhythm: Rhythm;
  /** The machine of this replica: whoever looks is there himself, however late his beats are written. */
  own: string;
}

export function machinesLoop({ store, clock, log, protocol, rhythm, own }: Deps): Loop {
  const { goneMs } = rhythm;
  const watch = new Watch(clock.now());
  return {
    name: "machines",
    shared: true,
    periodMs: 1_000,
    restMs: 200,
    topics: [],
    async turn() {
      const known = await store.read(machinesInUse);
      const inUse = known.filter(({ machine }) => machine !== own);
      const now = clock.now();
      const since = watch.look(now);
      const lose = async (which: Lost, silentMs: number) => {
        for (const machine of lostMachines(inUse, now, since, silentMs)) {
          const workers = await store.write(loseMachine, machine, which, now - silentMs, now);
          if (workers > 0) log.error({ machine, workers, which }, "workers of a silent machine");
        }
      };
      // Whoever waits for a worker that nobody will start must not wait for the rest of it.
      await lose("not_started", goneMs);
      await lose("all", protocol.machineLostMs);
      const heard = now - protocol.machineLostMs;
      if (since <= heard) await store.write(markLost, heard, now);
      await store.write(drainWorkers, now);
      await store.write(forgetReplicas, now - 2 * protocol.machineLostMs);
      return null;
    },
  };
}

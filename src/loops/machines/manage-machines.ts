// Manages the remote machines whose leadership this replica holds. It stops managing one that it lost, or that
// was removed or changed.

import type { Logger } from "../../base/log.ts";
import { manageLeadership, type RemoteMachine } from "../../domain/machine/remote.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import { recordTrouble } from "../../transactions/machine/record-trouble.ts";
import type { Leaderships } from "../engine/leadership.ts";
import type { Loop } from "../engine/loop.ts";

interface Deps {
  store: Store;
  log: Logger;
  heartbeatTiming: HeartbeatTiming;
  leaderships: Pick<Leaderships, "mine">;
  /** Starts to manage a machine; returns the function that stops it, `removed` if it was removed. */
  manage(remote: RemoteMachine): Promise<(removed: boolean) => Promise<void>>;
}

interface ManagedMachine {
  /** Changes if the machine's address or offer does. */
  fingerprint: string;
  end(removed: boolean): Promise<void>;
}

export function manageLoop({ store, log, heartbeatTiming, leaderships, manage }: Deps): Loop {
  const managed = new Map<string, ManagedMachine>();
  const ending = new Map<string, Promise<void>>();
  const end = (id: string, { end }: ManagedMachine, removed = false) => {
    managed.delete(id);
    const over = end(removed).catch((err: Error) => {
      log.error({ err, machine: id }, "cannot stop managing a machine cleanly");
    });
    ending.set(
      id,
      over.finally(() => ending.delete(id)),
    );
  };
  return {
    name: "manage",
    shared: false,
    periodMs: heartbeatTiming.heartbeatMs,
    restMs: 50,
    topics: [topic.leaderships],
    async run() {
      const led = new Map<string, RemoteMachine>();
      const all = await store.read(remoteMachines);
      for (const remote of all) {
        if (await leaderships.mine(manageLeadership(remote.id))) led.set(remote.id, remote);
      }
      for (const [id, each] of managed) {
        const remote = led.get(id);
        const removed = !all.some((known) => known.id === id);
        if (!remote || fingerprintOf(remote) !== each.fingerprint) end(id, each, removed);
      }
      for (const [id, remote] of led) {
        if (managed.has(id) || ending.has(id)) continue;
        try {
          managed.set(id, { fingerprint: fingerprintOf(remote), end: await manage(remote) });
        } catch (error) {
          const { message } = error as Error;
          if (message !== remote.trouble) await store.write(recordTrouble, id, message);
        }
      }
      return null;
    },
    async finish() {
      for (const [id, each] of managed) end(id, each);
      await Promise.all(ending.values());
    },
  };
}

function fingerprintOf({ address, secrets, offer }: RemoteMachine): string {
  return JSON.stringify([address, secrets, offer]);
}

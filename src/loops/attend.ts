// Attends the machines at an address of their own that no other replica attends: their duty is taken,
// and where it is lost, or the machine was removed or changed, attending it ends.

import type { FastifyBaseLogger } from "fastify";
import { attendDuty, type RemoteMachine } from "../domain/machine/remote.ts";
import type { Rhythm } from "../domain/replica/rhythm.ts";
import { noteTrouble, remoteMachines } from "../store/replica/remote-machine.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import type { Duties } from "./duties.ts";
import type { Loop } from "./loop.ts";

interface Deps {
  store: Store;
  log: FastifyBaseLogger;
  rhythm: Rhythm;
  duties: Pick<Duties, "mine">;
  /** Begins with one, and returns what ends it; `removed` is true where it is no machine any more. */
  attend(remote: RemoteMachine): Promise<(removed: boolean) => Promise<void>>;
}

interface Attending {
  /** What would make it another machine. */
  as: string;
  end(removed: boolean): Promise<void>;
}

export function attendLoop({ store, log, rhythm, duties, attend }: Deps): Loop {
  const attended = new Map<string, Attending>();
  const ending = new Map<string, Promise<void>>();
  const end = (id: string, { end }: Attending, removed = false) => {
    attended.delete(id);
    const over = end(removed).catch((err: Error) => {
      log.error({ err, machine: id }, "a machine is let go of with trouble");
    });
    ending.set(
      id,
      over.finally(() => ending.delete(id)),
    );
  };
  return {
    name: "attend",
    shared: false,
    periodMs: rhythm.beatMs,
    restMs: 50,
    topics: [topic.duties],
    async turn() {
      const mine = new Map<string, RemoteMachine>();
      const all = await store.read(remoteMachines);
      for (const remote of all) {
        if (await duties.mine(attendDuty(remote.id))) mine.set(remote.id, remote);
      }
      for (const [id, each] of attended) {
        const remote = mine.get(id);
        const removed = !all.some((there) => there.id === id);
        if (!remote || asOf(remote) !== each.as) end(id, each, removed);
      }
      for (const [id, remote] of mine) {
        if (attended.has(id) || ending.has(id)) continue;
        try {
          attended.set(id, { as: asOf(remote), end: await attend(remote) });
        } catch (error) {
          const { message } = error as Error;
          if (message !== remote.trouble) await store.write(noteTrouble, id, message);
        }
      }
      return null;
    },
    async finish() {
      for (const [id, each] of attended) end(id, each);
      await Promise.all(ending.values());
    },
  };
}

function asOf({ address, secrets, offer }: RemoteMachine): string {
  return JSON.stringify([address, secrets, offer]);
}

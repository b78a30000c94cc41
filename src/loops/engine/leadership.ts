// The leaderships of this replica: work that one replica does for all. The cached state may be out of
// date by one heartbeat, so that two replicas briefly do the same work; every write of a shared loop
// must be safe under that.

import type { Clock } from "../../base/clock.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { lead } from "../../transactions/replica/lead.ts";

export class Leaderships {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #heartbeatTiming: HeartbeatTiming;
  readonly #replicaId: string;
  /** Until when each is known, in ticks. */
  #known = new Map<string, { mine: boolean; until: number }>();

  constructor(deps: {
    store: Store;
    clock: Clock;
    heartbeatTiming: HeartbeatTiming;
    replicaId: string;
  }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#heartbeatTiming = deps.heartbeatTiming;
    this.#replicaId = deps.replicaId;
    deps.store.notifier.on(topic.leaderships, () => {
      for (const [name, { mine }] of this.#known) if (!mine) this.#known.delete(name);
    });
  }

  /** Whether this replica holds the leadership; acquires it if it is free. */
  async mine(name: string): Promise<boolean> {
    const [now, ticks] = [this.#clock.now(), this.#clock.ticks()];
    const known = this.#known.get(name);
    if (known && ticks < known.until) return known.mine;
    const { leaseMs } = this.#heartbeatTiming;
    const found = await this.#store.write(lead, name, this.#replicaId, now, leaseMs);
    const leftMs = Math.min(found.until - now, leaseMs);
    this.#known.set(name, { mine: found.mine, until: ticks + leftMs });
    return found.mine;
  }

  /** Records the result of a heartbeat: these leaderships are held until these ticks of the clock. */
  renew(names: string[], until: number): void {
    for (const [name, { mine }] of this.#known) {
      if (mine && !names.includes(name)) this.#known.delete(name);
    }
    for (const name of names) this.#known.set(name, { mine: true, until });
  }
}

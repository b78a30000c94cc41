// Which of the work that one replica does for all is this one's. What is believed here may be out of
// date by a beat, so that two do the same for a moment: every write of a shared loop is such that
// this harms nobody.

import type { Clock } from "../base/clock.ts";
import type { Rhythm } from "../domain/replica/rhythm.ts";
import { dropDuties, takeDuty } from "../store/replica/duty.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";

export class Duties {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #rhythm: Rhythm;
  readonly #replicaId: string;
  #known = new Map<string, { mine: boolean; until: number }>();

  constructor(deps: { store: Store; clock: Clock; rhythm: Rhythm; replicaId: string }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#rhythm = deps.rhythm;
    this.#replicaId = deps.replicaId;
    deps.store.wakes.on(topic.duties, () => {
      for (const [name, { mine }] of this.#known) if (!mine) this.#known.delete(name);
    });
  }

  /** Whether the work of this name is this replica's now; takes it where nobody has it. */
  async mine(name: string): Promise<boolean> {
    const now = this.#clock.now();
    const known = this.#known.get(name);
    if (known && now < known.until) return known.mine;
    const found = await this.#store.write(
      takeDuty,
      name,
      this.#replicaId,
      now,
      this.#rhythm.leaseMs,
    );
    this.#known.set(name, found);
    return found.mine;
  }

  /** After a beat: these are held until then. */
  renew(names: string[], until: number): void {
    for (const [name, { mine }] of this.#known) {
      if (mine && !names.includes(name)) this.#known.delete(name);
    }
    for (const name of names) this.#known.set(name, { mine: true, until });
  }

  /** Lets others take over at once. */
  async drop(): Promise<void> {
    this.#known.clear();
    await this.#store.write(dropDuties, this.#replicaId);
  }
}

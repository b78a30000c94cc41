// Says that this replica is there, keeps its duties, and looks who else is.

import type { Clock } from "../base/clock.ts";
import type { Rhythm } from "../domain/replica/rhythm.ts";
import { beat, type Replica } from "../store/replica/replica.ts";
import type { Store } from "../store/store.ts";
import type { Duties } from "./duties.ts";
import type { Loop } from "./loop.ts";

export interface BeatDeps {
  store: Store;
  clock: Clock;
  rhythm: Rhythm;
  replica: Replica;
  duties: Duties;
  /** Looks who else is there. */
  look: () => Promise<void>;
}

export function beatLoop(deps: BeatDeps): Loop {
  const { store, clock, rhythm, replica, duties, look } = deps;
  return {
    name: "beat",
    shared: false,
    periodMs: rhythm.beatMs,
    restMs: rhythm.beatMs / 2,
    topics: [],
    async turn() {
      const now = clock.now();
      const held = await store.write(beat, replica, now, rhythm.leaseMs);
      duties.renew(held, now + rhythm.leaseMs);
      await look();
      return null;
    },
  };
}

// Releases reservations that are not used.

import type { Clock } from "../../base/clock.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { isUnusedStepDue, releaseUnused } from "../../transactions/reservation/release-unused.ts";
import type { Loop } from "../engine/loop.ts";

interface ReleaseDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  unusedMinutes: number;
}

export function releaseUnusedReservationsLoop(deps: ReleaseDeps): Loop {
  const { store, clock, heartbeatTiming, unusedMinutes: minutes } = deps;
  return {
    name: "release-unused-reservations",
    shared: true,
    periodMs: 30_000,
    restMs: 1_000,
    topics: [topic.reservations],
    async run() {
      const at = clock.now();
      const watch = { minutes, since: at - heartbeatTiming.goneMs, at };
      // Nothing is locked as long as nothing changes.
      if (await store.read(isUnusedStepDue, watch)) await store.write(releaseUnused, watch);
      return null;
    },
  };
}

// Announces reservations that begin soon, and those that begin now.

import type { Clock } from "../../base/clock.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { ANNOUNCED_MS } from "../../domain/reservation/events.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { nextAnnouncement } from "../../store/reservation/notices.ts";
import { reservationsToAnnounce } from "../../store/reservation/reservation.ts";
import { announceReservation } from "../../transactions/reservation/announce.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

interface AnnounceDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
}

export function announceReservationsLoop({ store, clock, heartbeatTiming }: AnnounceDeps): Loop {
  return {
    name: "announce-reservations",
    shared: true,
    periodMs: 30_000,
    restMs: 1_000,
    topics: [topic.reservations],
    async run() {
      const now = clock.now();
      const since = now - heartbeatTiming.goneMs;
      const each = new Each();
      for (const reservation of await store.read(reservationsToAnnounce, now, ANNOUNCED_MS)) {
        await each.try(() => store.write(announceReservation, reservation, since, now));
      }
      return each.end(await store.read(nextAnnouncement, now, ANNOUNCED_MS));
    },
  };
}

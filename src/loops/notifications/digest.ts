// Makes messages of the events that wait, at most one per rule and interval.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { earliest } from "../../domain/endpoint/fleet.ts";
import { messageAt } from "../../domain/notification/digest.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { waitingEvents } from "../../store/notification/event.ts";
import { sendWaitingEvents } from "../../transactions/notification/send.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

export interface DigestDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  protocol: Pick<Protocol, "notificationGatherMs" | "notificationIntervalMs">;
}

export function digestLoop({ store, clock, ids, protocol }: DigestDeps): Loop {
  const timing = {
    gatherMs: protocol.notificationGatherMs,
    intervalMs: protocol.notificationIntervalMs,
  };
  return {
    name: "digest-notifications",
    shared: true,
    periodMs: 2_000,
    restMs: 100,
    topics: [topic.notifications],
    async run() {
      const now = clock.now();
      const each = new Each();
      let again: number | null = null;
      for (const waiting of await store.read(waitingEvents)) {
        const at = messageAt(waiting, timing, now);
        if (at > now) again = earliest(again, at);
        else {
          const id = ids.short(14);
          await each.try(() => store.write(sendWaitingEvents, waiting.ruleId, id, timing, now));
        }
      }
      return each.end(again);
    },
  };
}

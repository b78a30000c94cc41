// Releases delayed jobs at their instant, and admits held jobs: at the pace of their rate limit, and those that were
// locked when it was their turn.

import type { Clock } from "../../base/clock.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { skippedKeys } from "../../store/job/schedule/concurrency.ts";
import { nextRelease, releaseDue, touchSkipped } from "../../transactions/job/schedule/release.ts";
import type { Loop } from "../engine/loop.ts";

const MAX_PER_TRANSACTION = 200;

export function releaseLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "release",
    shared: true,
    periodMs: 5_000,
    restMs: 20,
    topics: [topic.delays],
    async run() {
      const skipped = await store.read(skippedKeys, 1);
      if (skipped.length > 0) await store.write(touchSkipped, clock.now(), MAX_PER_TRANSACTION);
      const next = await store.read(nextRelease);
      if (next === null || next > clock.now()) return next;
      await store.write(releaseDue, clock.now(), MAX_PER_TRANSACTION);
      return clock.now();
    },
  };
}

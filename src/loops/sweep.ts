// Forgets what has been kept for its time: results, answers under an Idempotency-Key, payloads that
// no job came to own, workers that ended long ago, the minutes of yesterday.

import type { Clock } from "../base/clock.ts";
import { HISTORY_KEPT_MS } from "../domain/endpoint/history.ts";
import type { Protocol } from "../domain/protocol.ts";
import { forgetEntries } from "../store/audit/audit.ts";
import { forgetMinutes } from "../store/endpoint/history.ts";
import { forgetAnswers } from "../store/idempotency.ts";
import { forgetEnded } from "../store/job/due.ts";
import { forgetInvitations } from "../store/member/invitation.ts";
import { dropUnbound } from "../store/payload.ts";
import { forgetSessions } from "../store/session/session.ts";
import type { Store } from "../store/store.ts";
import { forgetWorkers } from "../store/worker/worker.ts";
import type { Loop } from "./loop.ts";

/** So few at a time that requests hardly wait for it. */
const JOBS_A_TURN = 100;
const ENTRIES_A_TURN = 500;
const UPLOAD_MS = 3_600_000;
const WORKERS_KEPT_MS = 24 * 3_600_000;

export interface SweepDeps {
  store: Store;
  clock: Clock;
  protocol: Pick<Protocol, "auditKeepMs">;
}

export function sweepLoop({ store, clock, protocol }: SweepDeps): Loop {
  return {
    name: "sweep",
    shared: true,
    periodMs: 2_000,
    restMs: 20,
    topics: [],
    async turn() {
      const now = clock.now();
      const jobs = await store.write(forgetEnded, now, JOBS_A_TURN);
      await store.write(forgetAnswers, now);
      await store.write(forgetMinutes, now - HISTORY_KEPT_MS, ENTRIES_A_TURN);
      await store.write(forgetInvitations, now);
      await store.write(forgetSessions, now);
      await store.write(forgetEntries, now - protocol.auditKeepMs, ENTRIES_A_TURN);
      await store.write(dropUnbound, now - UPLOAD_MS);
      await store.write(forgetWorkers, now - WORKERS_KEPT_MS, 20);
      return jobs === JOBS_A_TURN ? now : null;
    },
  };
}

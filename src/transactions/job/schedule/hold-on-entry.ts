// Decides whether a new job enters its queue with its own statement, or is held until the end of the batch.

import type { NewJob } from "../../../domain/job/job.ts";
import {
  type Concurrency,
  firstHold,
  freeSlots,
  type Hold,
} from "../../../domain/job/schedule/concurrency.ts";
import { isSoleWriter, type Tx } from "../../../store/engine/statement.ts";
import { keyState, lockKey } from "../../../store/job/schedule/concurrency.ts";
import { touchKey } from "./admissions.ts";

/** What holds a job that is being submitted; null for one that enters its queue at once, or at a later start. */
export function* holdOnEntry(job: NewJob): Tx<Hold | null> {
  if (job.startAt !== null) return null;
  const { concurrency, rateLimit } = job;
  if (concurrency === null || rateLimit !== null) return firstHold(job);
  // Where other replicas write too, keys are locked at the end of the batch, in one order, and counted only then.
  if (!(yield* isSoleWriter())) return "concurrency";
  return (yield* hasFreeSlot({ ...job, concurrency })) ? null : "concurrency";
}

/** Held jobs of the key go first. */
function* hasFreeSlot(job: NewJob & { concurrency: Concurrency }): Tx<boolean> {
  const { key, limit } = job.concurrency;
  const name = { endpointId: job.endpointId, key };
  let state = yield* keyState(name);
  if (state?.limit !== limit) {
    yield* lockKey(name, { limit, newest: true });
    // In a batch, the last submission that names another limit decides.
    yield* touchKey(job, job.now, { newest: true });
    state = yield* keyState(name);
  }
  return state !== undefined && !state.hasHeld && freeSlots(limit, state.admitted) > 0;
}

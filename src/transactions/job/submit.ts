// Submits a job: its input, its row and its endpoint's counter.

import type { Fault } from "../../domain/fault.ts";
import type { NewJob } from "../../domain/job/job.ts";
import { recordCounts } from "../../store/endpoint/counts.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, notifyOne, sideBySide, type Tx } from "../../store/engine/statement.ts";
import { insertJob } from "../../store/job/insert.ts";
import { bindText } from "../../store/payload/payload.ts";
import { bytesOfJob } from "../storage/job-bytes.ts";
import { requireStorage } from "../storage/require-storage.ts";
import { touchHeld } from "./schedule/admissions.ts";
import { holdOnEntry } from "./schedule/hold-on-entry.ts";

export const submitJob = sideBySide(function* submitJob(job: NewJob): Tx<void> {
  const bytes = bytesOfJob(job);
  const heldBy = yield* holdOnEntry(job);
  yield* insertJob(job, { input: yield* bindText(job.input, job.now), bytes, heldBy });
  if (job.startAt !== null) {
    yield* recordCounts(job.endpointId, job.now, { delayed: 1, bytes });
    yield* notify(topic.delays);
    return;
  }
  if (heldBy !== null) {
    yield* recordCounts(job.endpointId, job.now, { delayed: 1, bytes });
    yield* touchHeld(job, job.now, { newest: true });
    return;
  }
  yield* recordCounts(job.endpointId, job.now, { in_queue: 1, bytes });
  yield* notifyOne(topic.queue(job.endpointId));
  yield* notify(topic.fleet);
});

/** Checks the storage limit first, if the job has one. */
export function* submitWithinStorage(job: NewJob): Tx<Fault | null> {
  const refusal = job.storageLimit && (yield* requireStorage(job.storageLimit, bytesOfJob(job)));
  if (refusal) return refusal;
  yield* submitJob(job);
  return null;
}

// Deletes ended jobs whose retention is over, with everything that belongs to them.

import { deleteDeliveries, hasWaitingDelivery } from "../../store/delivery/delivery.ts";
import { recordBytes } from "../../store/endpoint/counts.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx, together } from "../../store/engine/statement.ts";
import { deleteAttempts } from "../../store/job/attempt.ts";
import { deleteChunks } from "../../store/job/chunk.ts";
import { deleteLatePosts } from "../../store/job/late-post.ts";
import {
  deleteJob,
  type ForgettableJob,
  lockForgettable,
  setForgetAt,
} from "../../store/job/retention.ts";
import { deleteJobLog } from "../../store/log/job-log.ts";
import { dropPayload } from "../../store/payload/payload.ts";

/** How long a job is kept beyond its retention while its webhook has still to be called. */
const WEBHOOK_GRACE_MS = 10_000;

/** Deletes at most `most` jobs; returns how many were due. */
export function* forgetEnded(now: number, most: number): Tx<number> {
  const due = yield* lockForgettable(now, most);
  yield* together(due.map((each) => forget(each, now)));
  return due.length;
}

function* forget({ job, inputPayload, bytes }: ForgettableJob, now: number): Tx<void> {
  const { seq, endpointId } = job;
  if (yield* hasWaitingDelivery(seq)) {
    yield* setForgetAt(seq, now + WEBHOOK_GRACE_MS);
    return;
  }
  yield* dropPayload(inputPayload);
  yield* dropPayload(job.output.payload);
  if (job.attempts > 0) {
    yield* deleteChunks(seq);
    yield* deleteAttempts(seq);
    yield* deleteJobLog(seq);
  }
  yield* deleteLatePosts(seq);
  if (job.webhook !== null) yield* deleteDeliveries(seq);
  yield* deleteJob(seq);
  yield* recordBytes(endpointId, -bytes);
  yield* notify(topic.changedWithin("job", endpointId));
}

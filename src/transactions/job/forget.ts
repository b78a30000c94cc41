// Deletes ended jobs whose retention is over, with everything that belongs to them, and archives failures.

import { countDeleted } from "../../store/batch/batch.ts";
import { deleteDeliveries, hasWaitingDelivery } from "../../store/delivery/delivery.ts";
import { recordArchivedBytes, recordBytes } from "../../store/endpoint/counts.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx, together } from "../../store/engine/statement.ts";
import { lockArchivedOf, lockOverdueArchived } from "../../store/job/archive/archive.ts";
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
import { archiveJob } from "./archive/archive.ts";

/** How long a job is kept beyond its retention while its webhook has still to be called. */
const WEBHOOK_GRACE_MS = 10_000;

/** Deletes or archives at most `limit` jobs; returns how many were due. */
export function* forgetEnded(now: number, limit: number): Tx<number> {
  const due = yield* lockForgettable(now, limit);
  yield* together(due.map((each) => forget(each, now)));
  return due.length;
}

function* forget({ job, inputPayload, bytes }: ForgettableJob, now: number): Tx<void> {
  const { seq, endpointId } = job;
  if (yield* hasWaitingDelivery("job", seq)) {
    yield* setForgetAt(seq, now + WEBHOOK_GRACE_MS);
    return;
  }
  if (yield* archiveJob(job, bytes, now)) {
    yield* notify(topic.changedWithin("job", endpointId));
    return;
  }
  yield* deleteWhole({ job, inputPayload, bytes });
}

/** Deletes at most `limit` archived jobs whose time is over; returns how many. */
export function* forgetArchived(now: number, limit: number): Tx<number> {
  const due = yield* lockOverdueArchived(now, limit);
  yield* together(due.map(deleteArchived));
  return due.length;
}

/** Deletes at most `limit` archived jobs of an endpoint, the first submitted first; returns how many. */
export function* evictArchived(endpointId: string, limit: number): Tx<number> {
  const oldest = yield* lockArchivedOf(endpointId, limit);
  yield* together(oldest.map(deleteArchived));
  return oldest.length;
}

function* deleteArchived(archived: ForgettableJob): Tx<void> {
  yield* recordArchivedBytes(archived.job.endpointId, -archived.bytes);
  yield* deleteWhole(archived);
}

function* deleteWhole({ job, inputPayload, bytes }: ForgettableJob): Tx<void> {
  const { seq, endpointId } = job;
  yield* dropPayload(inputPayload);
  yield* dropPayload(job.output.payload);
  if (job.attempts > 0) {
    yield* deleteChunks(seq);
    yield* deleteAttempts(seq);
    yield* deleteJobLog(seq);
  }
  yield* deleteLatePosts(seq);
  if (job.webhook !== null) yield* deleteDeliveries("job", seq);
  if (job.batch !== null) yield* countDeleted(job.batch.batchId, job.state);
  yield* deleteJob(seq);
  yield* recordBytes(endpointId, -bytes);
  yield* notify(topic.changedWithin("job", endpointId));
}

// Keeps a failed job beyond its retention, and returns it from there.

import type { EndedJob, Job } from "../../../domain/job/job.ts";
import { decideArchive } from "../../../domain/job/retention.ts";
import { recordArchivedBytes } from "../../../store/endpoint/counts.ts";
import { findEndpointOrDeleted } from "../../../store/endpoint/endpoint.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { archivedBytes, setArchived } from "../../../store/job/archive/archive.ts";

/** False for a job that is not kept. */
export function* archiveJob(job: EndedJob, bytes: number, now: number): Tx<boolean> {
  if (job.state !== "FAILED" && job.state !== "TIMED_OUT") return false;
  const endpoint = yield* findEndpointOrDeleted(job.endpointId);
  if (!endpoint || endpoint.deletedAt !== null) return false;
  const until = decideArchive(job, endpoint.spec);
  if (until <= now) return false;
  yield* setArchived(job.seq, until);
  yield* recordArchivedBytes(job.endpointId, bytes);
  return true;
}

/** Called before a job is retried, which may be archived. */
export function* leaveArchive({ seq, endpointId }: Pick<Job, "seq" | "endpointId">): Tx<void> {
  const bytes = yield* archivedBytes(seq);
  if (bytes !== null) yield* recordArchivedBytes(endpointId, -bytes);
}

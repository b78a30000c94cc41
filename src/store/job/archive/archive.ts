// Archived jobs: failures that are kept beyond their retention, hidden from the queue's clients.

import { change, row, rows, type Tx } from "../../engine/statement.ts";
import { type ForgettableJob, forgettableFrom } from "../retention.ts";
import { JOB_COLUMNS, type JobRow } from "../row.ts";

export function* setArchived(seq: number, until: number): Tx<void> {
  yield* change("update job set archived_until = ? where seq = ?", until, seq);
}

/** What is stored of an archived job; null for any other. */
export function* archivedBytes(seq: number): Tx<number | null> {
  const found = yield* row<{ bytes: number }>(
    "select bytes from job where seq = ? and archived_until is not null",
    seq,
  );
  return found ? Number(found.bytes) : null;
}

type Row = JobRow & { input_payload: string | null; bytes: number };

/** Archived jobs whose time is over, locked; the longest overdue first. */
export function* lockOverdueArchived(now: number, limit: number): Tx<ForgettableJob[]> {
  const found = yield* rows<Row>(
    `select ${JOB_COLUMNS}, input_payload, bytes from job where archived_until <= ?
     order by archived_until limit ? /*+ for update skip locked */`,
    now,
    limit,
  );
  return found.map(forgettableFrom);
}

/**
 * Archived jobs of an endpoint, locked; the first submitted first. The inner query passes no others: it needs only
 * what their index has.
 */
export function* lockArchivedOf(endpointId: string, limit: number): Tx<ForgettableJob[]> {
  const found = yield* rows<Row>(
    `select ${JOB_COLUMNS}, input_payload, bytes from job
     where archived_until is not null and seq in (
       select seq from job where endpoint_id = ? and archived_until is not null
       order by seq limit ? /*+ for update skip locked */)
     order by seq /*+ for update */`,
    endpointId,
    limit,
  );
  return found.map(forgettableFrom);
}

export interface ArchiveSize {
  accountId: string;
  endpointId: string;
  /** True if the endpoint is deleted. */
  isDeleted: boolean;
  bytes: number;
}

/** The endpoints with archived jobs, the largest archive first. */
export function* archiveSizes(): Tx<ArchiveSize[]> {
  const found = yield* rows<Omit<ArchiveSize, "isDeleted"> & { deletedAt: number | null }>(
    `select endpoint.account_id as "accountId", endpoint.id as "endpointId",
       endpoint.deleted_at as "deletedAt", sum(tally.archived_bytes) as bytes
     from tally join endpoint on endpoint.id = tally.endpoint_id
     group by endpoint.account_id, endpoint.id, endpoint.deleted_at
     having sum(tally.archived_bytes) > 0 order by bytes desc`,
  );
  return found.map(({ bytes, deletedAt, ...of }) => {
    return { ...of, bytes: Number(bytes), isDeleted: deletedAt !== null };
  });
}

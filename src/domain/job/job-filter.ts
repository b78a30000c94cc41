// Which jobs of an account are meant: by a list, an export or an operation on all that match.

import type { JobState } from "./moves.ts";

export interface JobFilter {
  endpointId: string | null;
  /** Jobs in one of these states; null for all. */
  states: JobState[] | null;
  workerId: string | null;
  /** Only jobs of this batch. */
  batchId: string | null;
  /** The id, or its beginning. */
  id: string | null;
  /** Part of the error, in any case. */
  error: string | null;
  /** Submitted at or after, and before. */
  since: number | null;
  until: number | null;
  /** Ended at or after, and before. */
  finishedAfter: number | null;
  finishedBefore: number | null;
  /** Only jobs in quarantine, or only others; null for both. */
  quarantined: boolean | null;
}

export const anyJob: JobFilter = {
  endpointId: null,
  states: null,
  workerId: null,
  batchId: null,
  id: null,
  error: null,
  since: null,
  until: null,
  finishedAfter: null,
  finishedBefore: null,
  quarantined: null,
};

// The filter of a list of jobs.

import type { JobState } from "../../../domain/job/moves.ts";

export interface JobFilter {
  accountId: string;
  endpointId: string | null;
  /** Jobs in one of these states; null for all. */
  states: JobState[] | null;
  workerId: string | null;
  /** The id, or its beginning. */
  id: string | null;
  /** Part of the error, in any case. */
  error: string | null;
  /** Submitted at or after, and before. */
  since: number | null;
  until: number | null;
  /** Only jobs submitted before the one with this sequence number. */
  before: number | null;
  /** Whether failures are listed beyond their retention. */
  archived: boolean;
  most: number;
  now: number;
}

/** A search for an error reads this many of an endpoint's newest failures in each state. */
export const MAX_SEARCHED = 10_000;

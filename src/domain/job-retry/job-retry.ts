// A bulk retry: an operation that retries every failed job that matches a filter, in slices.

export interface JobRetryFilter {
  /** Null for every endpoint of the account. */
  endpointId: string | null;
  states: ("FAILED" | "TIMED_OUT")[];
  /** A part of the job's error, in any case. */
  error: string | null;
  finishedAfter: number | null;
  finishedBefore: number | null;
  /** Whether jobs in quarantine are retried too. */
  includeQuarantined: boolean;
}

export type JobRetryState = "RUNNING" | "COMPLETED" | "CANCELLED";

export interface JobRetry {
  id: string;
  accountId: string;
  filter: JobRetryFilter;
  state: JobRetryState;
  /** Jobs with a higher sequence number were submitted after it and are not part of it. */
  lastSeq: number;
  cursorSeq: number;
  /** How many jobs matched at its start; null until they are counted. */
  total: number | null;
  retried: number;
  createdAt: number;
  finishedAt: number | null;
}

/** Of one account at the same time. */
export const MAX_RUNNING_RETRIES = 20;
/** How long a finished one can be read. */
export const JOB_RETRY_KEEP_MS = 30 * 24 * 3_600_000;

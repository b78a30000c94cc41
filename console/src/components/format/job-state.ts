// The states of jobs in words.

import type { Schema } from "../../api/client.ts";

export type JobState = Schema["JobSummary"]["status"];

export const jobStateNames: Record<JobState, string> = {
  IN_QUEUE: "Queued",
  IN_PROGRESS: "Running",
  COMPLETED: "Completed",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
  TIMED_OUT: "Timed out",
};

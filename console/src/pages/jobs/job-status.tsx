// The status of a job as a badge.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../components/data/status.tsx";

export type JobState = Schema["JobSummary"]["status"];

export const jobStatuses: Record<JobState, [Tone, string]> = {
  IN_QUEUE: ["info", "Queued"],
  IN_PROGRESS: ["warn", "Running"],
  COMPLETED: ["good", "Completed"],
  FAILED: ["bad", "Failed"],
  CANCELLED: ["off", "Cancelled"],
  TIMED_OUT: ["bad", "Timed out"],
};

export function JobStatus({ state }: { state: JobState }) {
  const [tone, label] = jobStatuses[state];
  return <Status tone={tone}>{label}</Status>;
}

export const canCancel = (state: JobState) => state === "IN_QUEUE" || state === "IN_PROGRESS";
export const canRetry = (state: JobState) => state === "FAILED" || state === "TIMED_OUT";

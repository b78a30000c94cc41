// How a job is, in a word.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../parts/status.tsx";

export type JobState = Schema["JobSummary"]["status"];

export const jobStates: Record<JobState, [Tone, string]> = {
  IN_QUEUE: ["info", "Queued"],
  IN_PROGRESS: ["warn", "Running"],
  COMPLETED: ["good", "Completed"],
  FAILED: ["bad", "Failed"],
  CANCELLED: ["off", "Cancelled"],
  TIMED_OUT: ["bad", "Timed out"],
};

export function JobStatus({ state }: { state: JobState }) {
  const [tone, word] = jobStates[state];
  return <Status tone={tone}>{word}</Status>;
}

export const mayCancel = (state: JobState) => state === "IN_QUEUE" || state === "IN_PROGRESS";
export const mayRetry = (state: JobState) => state === "FAILED" || state === "TIMED_OUT";

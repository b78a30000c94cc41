// The status of a job as a badge.

import { Status, type Tone } from "../../components/data/status.tsx";
import { type JobState, jobStateNames } from "../../components/format/job-state.ts";

const tones: Record<JobState, Tone> = {
  IN_QUEUE: "info",
  IN_PROGRESS: "warn",
  COMPLETED: "good",
  FAILED: "bad",
  CANCELLED: "off",
  TIMED_OUT: "bad",
};

export function JobStatus({ state }: { state: JobState }) {
  return <Status tone={tones[state]}>{jobStateNames[state]}</Status>;
}

export const canCancel = (state: JobState) => state === "IN_QUEUE" || state === "IN_PROGRESS";
export const canRetry = (state: JobState) => state === "FAILED" || state === "TIMED_OUT";

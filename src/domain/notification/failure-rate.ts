// When jobs of an endpoint fail too often, and when they do no longer. It begins at the threshold and ends
// at half of it, so that a rate near the threshold is announced once. Pure.

export interface FailureThreshold {
  /** At least this many jobs failed within the window. */
  count: number;
  /** At least this share of the jobs that ended within it; null for any share. */
  percent: number | null;
  windowMinutes: number;
}

export const defaultThreshold: FailureThreshold = { count: 5, percent: null, windowMinutes: 10 };

/** Jobs that ended within the window. */
export interface EndedJobs {
  completed: number;
  failed: number;
}

/** What an incident does; null if nothing changes. */
export type IncidentChange = "begin" | "end" | null;

export function failureChange(
  isOpen: boolean,
  jobs: EndedJobs,
  threshold: FailureThreshold,
): IncidentChange {
  if (isOpen) return isRecovered(jobs, threshold) ? "end" : null;
  return isFailing(jobs, threshold) ? "begin" : null;
}

function isFailing({ completed, failed }: EndedJobs, threshold: FailureThreshold): boolean {
  const { count, percent } = threshold;
  return failed >= count && failed * 100 >= (percent ?? 0) * (completed + failed);
}

function isRecovered(
  { completed, failed }: EndedJobs,
  { count, percent }: FailureThreshold,
): boolean {
  if (failed * 2 < count) return true;
  return percent !== null && failed * 200 < percent * (completed + failed);
}

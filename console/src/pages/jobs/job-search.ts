// The filter of a list of jobs, as the address holds it.

import { type JobState, jobStateNames } from "../../components/format/job-state.ts";

export interface JobSearch {
  status?: JobState;
  endpoint?: string;
  worker?: string;
  error?: string;
  id?: string;
  /** A duration until now: "1h". */
  since?: string;
  quarantined?: "yes" | "no";
}

const texts = ["endpoint", "worker", "error", "id", "since"] as const;

/** Unknown and empty members are left out. */
export function parseJobSearch(search: Record<string, unknown>): JobSearch {
  const { status, quarantined } = search;
  const found: JobSearch = {};
  if (typeof status === "string" && status in jobStateNames) found.status = status as JobState;
  if (quarantined === "yes" || quarantined === "no") found.quarantined = quarantined;
  for (const name of texts) {
    const value = search[name];
    if (typeof value === "string" && value !== "") found[name] = value.slice(0, 200);
    // The router reads a text of digits as a number.
    if (typeof value === "number") found[name] = String(value);
  }
  return found;
}

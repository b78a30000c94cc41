// An operation on every job that matches a filter: a bulk retry or a bulk cancellation. It runs in slices.

import { DAY_MS } from "../../base/units.ts";
import type { JobFilter } from "../job/job-filter.ts";
import { type JobState, statesAllowing } from "../job/moves.ts";

export type JobAction = "retry" | "cancel";

export type JobOperationState = "RUNNING" | "COMPLETED" | "CANCELLED";

export interface JobOperation {
  id: string;
  accountId: string;
  action: JobAction;
  filter: JobFilter;
  state: JobOperationState;
  /** Jobs with a higher sequence number were submitted after it and are not part of it. */
  lastSeq: number;
  cursorSeq: number;
  /** How many jobs matched at its start; null until they are counted. */
  total: number | null;
  /** How many jobs it has changed. */
  done: number;
  createdAt: number;
  finishedAt: number | null;
}

/** The limit of one account at the same time. */
export const MAX_RUNNING_OPERATIONS = 20;
/** How long a finished one can be read. */
export const JOB_OPERATION_KEEP_MS = 30 * DAY_MS;

/** The states that an action changes, of those that its filter names. */
export function statesToChange(action: JobAction, { states }: JobFilter): JobState[] {
  return statesAllowing(action).filter((state) => states?.includes(state) ?? true);
}

/** What an action changes. A retry leaves jobs in quarantine out unless they are asked for. */
export function filterOfAction(action: JobAction, filter: JobFilter): JobFilter {
  const quarantined = filter.quarantined ?? (action === "retry" ? false : null);
  return { ...filter, states: statesToChange(action, filter), quarantined };
}

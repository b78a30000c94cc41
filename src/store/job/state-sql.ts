// The table of moves as SQL: which rows an event may change, and to which state. Each text is made
// once, when the module is loaded, because statements are prepared by their text.

import {
  isTerminal,
  type JobEvent,
  type JobState,
  jobStates,
  statesAllowing,
  targetOf,
} from "../../domain/job/moves.ts";
import { checked } from "../engine/text/checked.ts";

/** The parts of an update that moves a job: `set ${set}, ... where ... and ${where}`. */
export interface MoveSql {
  set: string;
  where: string;
  /** The condition for a job that its number or its id finds. */
  check: string;
}

export function moveSql(event: JobEvent): MoveSql {
  const states = statesAllowing(event);
  return {
    set: `state = '${targetOf(event)}'`,
    where: inStates(states),
    check: inStates(states, checked("state")),
  };
}

/** One state is compared by `=`: partial indexes are found by that text. */
function inStates(states: JobState[], column = "state"): string {
  const literals = states.map((state) => `'${state}'`);
  return literals.length === 1
    ? `${column} = ${literals[0]}`
    : `${column} in (${literals.join(", ")})`;
}

/** Jobs that a worker can claim. */
export const QUEUED = inStates(statesAllowing("take"));
/** Jobs that enter their queue later. */
export const DELAYED = inStates(statesAllowing("release"));
/** Delayed jobs that wait for something other than an instant. */
export const HELD = `${DELAYED} and held_by is not null`;
export const HELD_BY_KEY = `${DELAYED} and held_by = 'concurrency'`;
export const HELD_BY_RATE = `${DELAYED} and held_by = 'rate'`;
/** Jobs that a worker holds. */
export const RUNNING = inStates(statesAllowing("requeue"));
export const QUEUED_OR_RUNNING = inStates(["IN_QUEUE", "IN_PROGRESS"]);
/** A running job, for a statement that finds it by its number or its id. */
export const IS_RUNNING = inStates(statesAllowing("requeue"), checked("state"));
/** Jobs whose end is still to come. */
export const LIVE = inStates(statesAllowing("cancel"));
/** Jobs that take a slot of their concurrency key: only the pace of a rate limit may still hold them. */
export const ADMITTED = `(${QUEUED_OR_RUNNING} or ${HELD_BY_RATE})`;
export const ENDED = inStates(jobStates.filter(isTerminal));

/** A job's place among those of its priority: its number, or that of the newest job when it was admitted. */
export const PLACE = "coalesce(place, seq)";
/** The order in which queued jobs are claimed. */
export const DISPATCH_ORDER = `priority desc, ${PLACE}, seq`;

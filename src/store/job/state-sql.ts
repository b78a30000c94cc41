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

/** The two halves of an update that moves a job: `set ${set}, ... where ... and ${where}`. */
export interface MoveSql {
  set: string;
  where: string;
}

export function moveSql(event: JobEvent): MoveSql {
  return { set: `state = '${targetOf(event)}'`, where: inStates(statesAllowing(event)) };
}

/** One state is compared by `=`: partial indexes are found by that text. */
function inStates(states: JobState[]): string {
  const literals = states.map((state) => `'${state}'`);
  return literals.length === 1 ? `state = ${literals[0]}` : `state in (${literals.join(", ")})`;
}

/** Jobs that a worker can claim. */
export const QUEUED = inStates(statesAllowing("take"));
/** Jobs that enter their queue later. */
export const DELAYED = inStates(statesAllowing("release"));
/** Jobs that a worker holds. */
export const RUNNING = inStates(statesAllowing("requeue"));
/** Jobs whose end is still to come. */
export const LIVE = inStates(statesAllowing("cancel"));
export const ENDED = inStates(jobStates.filter(isTerminal));

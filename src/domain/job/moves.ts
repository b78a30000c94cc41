// The states of a Job and every move between them. The store's guards are derived from this table
// and a test walks the whole product of states and events; `no` marks a hole on purpose.

export const jobStates = [
  "IN_QUEUE",
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TIMED_OUT",
] as const;
export type JobState = (typeof jobStates)[number];

const no = null;

/**
 * take       a worker takes it                   complete  a result came, from whoever may report
 * fail       an error came                       cancel    a client asked, or its endpoint went
 * purge      purge-queue removed it              expire    its time to live ran out
 * overrun    its execution time-out ran out      lose      its worker was lost, for the first time
 * giveUp     its worker was lost once more       giveBack  we took it back; no retry is counted
 * retry      a client asked for it again
 */
export const jobMoves = {
  IN_QUEUE: {
    take: "IN_PROGRESS",
    complete: "COMPLETED",
    fail: "FAILED",
    cancel: "CANCELLED",
    purge: "CANCELLED",
    expire: "TIMED_OUT",
    overrun: no,
    lose: no,
    giveUp: no,
    giveBack: no,
    retry: no,
  },
  IN_PROGRESS: {
    take: no,
    complete: "COMPLETED",
    fail: "FAILED",
    cancel: "CANCELLED",
    purge: no,
    expire: "TIMED_OUT",
    overrun: "FAILED",
    lose: "IN_QUEUE",
    giveUp: "FAILED",
    giveBack: "IN_QUEUE",
    retry: no,
  },
  COMPLETED: ended(no),
  FAILED: ended("IN_QUEUE"),
  CANCELLED: ended(no),
  TIMED_OUT: ended("IN_QUEUE"),
} satisfies Record<JobState, Record<string, JobState | null>>;

export type JobEvent = keyof (typeof jobMoves)["IN_QUEUE"];

function ended<Retry extends JobState | null>(retry: Retry) {
  return {
    take: no,
    complete: no,
    fail: no,
    cancel: no,
    purge: no,
    expire: no,
    overrun: no,
    lose: no,
    giveUp: no,
    giveBack: no,
    retry,
  };
}

/** The state an event leads to, or null where the table says no. */
export function jobMove(state: JobState, event: JobEvent): JobState | null {
  return jobMoves[state][event];
}

/** True for a state that nothing but a client's retry leaves again. */
export function isTerminal(state: JobState): boolean {
  return jobMoves[state].take === no && jobMoves[state].cancel === no;
}

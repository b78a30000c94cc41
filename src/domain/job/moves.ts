// The states of a Job and every move between them. The store derives its guards from this table, and
// a test walks the whole product of states and events. `no` marks a move that must not happen.

export const jobStates = [
  "IN_QUEUE",
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TIMED_OUT",
] as const;
export type JobState = (typeof jobStates)[number];
export type TerminalState = Exclude<JobState, "IN_QUEUE" | "IN_PROGRESS">;

/** The state of a submitted job. */
export const initialState = "IN_QUEUE" satisfies JobState;

const no = null;

/**
 * take       a worker claims it                  complete  a result arrived
 * fail       an error arrived                    cancel    a client or an endpoint's deletion ends it
 * purge      purge-queue removes it              expire    its time to live is over
 * overrun    its execution timeout is over       lose      its worker is lost, for the first time
 * giveUp     its worker is lost once more        requeue   Freehold takes it back; no retry is counted
 * retry      a client asks for it again
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
    requeue: no,
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
    requeue: "IN_QUEUE",
    retry: no,
  },
  COMPLETED: terminal(no),
  FAILED: terminal("IN_QUEUE"),
  CANCELLED: terminal(no),
  TIMED_OUT: terminal("IN_QUEUE"),
} satisfies Record<JobState, Record<string, JobState | null>>;

export type JobEvent = keyof (typeof jobMoves)["IN_QUEUE"];

function terminal<Retry extends JobState | null>(retry: Retry) {
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
    requeue: no,
    retry,
  };
}

/** The state that an event leads to, or null where the table forbids the move. */
export function jobMove(state: JobState, event: JobEvent): JobState | null {
  return jobMoves[state][event];
}

/** The states that an event may leave. */
export function statesAllowing(event: JobEvent): JobState[] {
  return jobStates.filter((state) => jobMove(state, event) !== null);
}

/** The only state that an event leads to, in any state that allows it. */
export function targetOf(event: JobEvent): JobState {
  const targets = new Set(statesAllowing(event).map((state) => jobMove(state, event)!));
  const [target] = targets;
  if (target === undefined || targets.size > 1) throw new Error(`${event} has no single target`);
  return target;
}

/** True for a state that only a client's retry leaves. */
export function isTerminal(state: JobState): state is TerminalState {
  return jobMoves[state].take === no && jobMoves[state].cancel === no;
}

// The states of a Job and every move between them. The store derives its guards from this table, and
// a test walks the whole product of states and events. `no` marks a move that must not happen.

export const jobStates = [
  "DELAYED",
  "IN_QUEUE",
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TIMED_OUT",
] as const;
export type JobState = (typeof jobStates)[number];
export type TerminalState = Exclude<JobState, "DELAYED" | "IN_QUEUE" | "IN_PROGRESS">;

/** The state of a submitted job: one that may run at once, and one that may run later. */
export const initialState = "IN_QUEUE" satisfies JobState;
export const delayedState = "DELAYED" satisfies JobState;

/** The states that clients see. */
export type VisibleState = Exclude<JobState, "DELAYED">;

/** A delayed job is IN_QUEUE to clients: they know no other state of a job that waits. */
export function visibleState(state: JobState): VisibleState {
  return state === "DELAYED" ? "IN_QUEUE" : state;
}

/** The states that clients see as this one. */
export function statesVisibleAs(visible: VisibleState): JobState[] {
  return jobStates.filter((state) => visibleState(state) === visible);
}

const no = null;

/**
 * take       a worker claims it                  complete  a result arrived
 * fail       an error arrived                    cancel    a client or an endpoint's deletion ends it
 * purge      purge-queue removes it              expire    its time to live is over
 * overrun    its execution timeout is over       lose      its attempt failed; it is tried again at once
 * giveUp     its worker is lost for good         requeue   Freehold takes it back; no retry is counted
 * retry      a client asks for it again          backOff   its attempt failed; it is tried again later
 * release    its delay or its hold is over       quarantine  it has ended too many workers
 * retryHeld  a client asks for it again; it is held first
 */
export const jobMoves = {
  DELAYED: {
    take: no,
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
    retryHeld: no,
    backOff: no,
    release: "IN_QUEUE",
    quarantine: no,
  },
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
    retryHeld: no,
    backOff: no,
    release: no,
    quarantine: no,
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
    retryHeld: no,
    backOff: "DELAYED",
    release: no,
    quarantine: "FAILED",
  },
  COMPLETED: terminal(no, no),
  FAILED: terminal("IN_QUEUE", "DELAYED"),
  CANCELLED: terminal(no, no),
  TIMED_OUT: terminal("IN_QUEUE", "DELAYED"),
} satisfies Record<JobState, Record<string, JobState | null>>;

export type JobEvent = keyof (typeof jobMoves)["IN_QUEUE"];

function terminal<Retry extends JobState | null, Held extends JobState | null>(
  retry: Retry,
  retryHeld: Held,
) {
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
    retryHeld,
    backOff: no,
    release: no,
    quarantine: no,
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

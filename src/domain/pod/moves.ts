// What is wanted of a Pod, and every move between these wishes. The store's guards are derived from
// this table and a test walks the whole product; `no` marks a hole on purpose, `same` what is so
// already and may be asked again.

export const podStates = ["RUNNING", "EXITED", "TERMINATED"] as const;
export type PodState = (typeof podStates)[number];

const no = null;
const same = "same";

/**
 * start    a client asked, or asked again        stop     a client asked, or its stopAfter came
 * restart  its container anew                    reset    a change that needs a new container
 * delete   a client asked, or terminateAfter     finish   its container ended with exit code 0
 * giveUp   it cannot run, or ends again and again
 * evict    it is interruptible, and what runs on demand takes its place
 */
export const podMoves = {
  RUNNING: {
    start: same,
    stop: "EXITED",
    restart: "RUNNING",
    reset: "RUNNING",
    delete: "TERMINATED",
    finish: "EXITED",
    giveUp: "EXITED",
    evict: "EXITED",
  },
  EXITED: {
    start: "RUNNING",
    stop: same,
    restart: no,
    reset: "EXITED",
    delete: "TERMINATED",
    finish: no,
    giveUp: no,
    evict: no,
  },
  TERMINATED: {
    start: no,
    stop: no,
    restart: no,
    reset: no,
    delete: no,
    finish: no,
    giveUp: no,
    evict: no,
  },
} as const satisfies Record<PodState, Record<string, PodState | typeof same | null>>;

export type PodEvent = keyof (typeof podMoves)["RUNNING"];

/** The state an event leads to, "same" where nothing need be done, null where the table says no. */
export function podMove(state: PodState, event: PodEvent): PodState | typeof same | null {
  return podMoves[state][event];
}

/** Events that a lock refuses to a client. */
export const lockedOut: ReadonlySet<PodEvent> = new Set<PodEvent>(["stop", "restart", "reset"]);

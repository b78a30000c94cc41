// The desired states of a Pod, and the move that each event causes in each of them. A test walks all
// pairs: `no` refuses the event, `same` means that nothing changes.

export const podStates = ["RUNNING", "EXITED", "TERMINATED"] as const;
export type PodState = (typeof podStates)[number];

const no = null;
const same = "same";

/**
 * start    by a client                           stop     by a client, at its stopAfter, or when idle
 * restart  a new container                       reset    a change that needs a new container
 * delete   by a client, or at its terminateAfter finish   its container ended with exit code 0
 * giveUp   it cannot run, or ends again and again
 * evict    a spot Pod, when an on-demand workload takes its place
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

/** The state that an event leads to, "same" if nothing changes, null if the event is refused. */
export function podMove(state: PodState, event: PodEvent): PodState | typeof same | null {
  return podMoves[state][event];
}

/** Events that a locked Pod refuses to clients. */
export const lockedOut: ReadonlySet<PodEvent> = new Set<PodEvent>(["stop", "restart", "reset"]);

// The reasons why a port of a Pod is unreachable. Pure.

/** Each reason with the end of its sentence. */
export const unreached = {
  stopped: "the Pod is stopped",
  starting: "its container is not up yet",
  not_running: "its container does not run",
  refused: "nothing listens on it",
  silent: "its container accepts no connection",
  no_way:
    "its machine is connected by its engine only, and its containers cannot be reached; add the machine by ssh:// instead",
  no_ports: "the Pod is a process of its machine, and has no ports of its own",
  machine_away: "its machine is offline",
  broken: "the connection broke before an answer came",
  no_http: "its answer is not valid HTTP",
} as const;

export type Unreached = keyof typeof unreached;

/** Whether the request may have arrived before it failed. */
export const mayHaveArrived = (why: Unreached) => why === "broken" || why === "no_http";

/** The error of a connection that could not be made. */
export class NotReached extends Error {
  override readonly name = "NotReached";
  readonly why: Unreached;
  constructor(why: Unreached) {
    super(unreached[why]);
    this.why = why;
  }
}

/** The reason that another replica sent; a newer version may have reasons that this one does not know. */
export function asUnreached(text: unknown): Unreached {
  return typeof text === "string" && Object.hasOwn(unreached, text)
    ? (text as Unreached)
    : "machine_away";
}

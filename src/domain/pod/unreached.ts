// Why a port of a Pod is not reached. Pure.

/** Each with the words that end the sentence. */
export const unreached = {
  stopped: "the Pod is stopped",
  starting: "its container is not up yet",
  not_running: "its container does not run",
  refused: "nothing listens on it",
  silent: "its container takes no connection",
  no_way:
    "its machine is reached by its engine alone, and no connection leads to its containers; add it by ssh:// instead",
  no_ports: "the Pod is a process of its machine, and has no ports of its own",
  machine_away: "its machine does not answer right now",
  broken: "the connection broke before an answer came",
  no_http: "what it answered is not valid HTTP",
} as const;

export type Unreached = keyof typeof unreached;

/** No connection could be made. */
export class NotReached extends Error {
  override readonly name = "NotReached";
  readonly why: Unreached;
  constructor(why: Unreached) {
    super(unreached[why]);
    this.why = why;
  }
}

/** What another replica said, read with care: it may know more reasons than we. */
export function asUnreached(text: unknown): Unreached {
  return typeof text === "string" && Object.hasOwn(unreached, text)
    ? (text as Unreached)
    : "machine_away";
}

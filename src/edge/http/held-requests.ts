// Requests that are held open. Each has a signal that aborts when its client disconnects; all of
// them are answered when the service stops.

import type { Poll } from "../../flows/job/take.ts";
import type { RouteReply } from "./request/route.ts";

type Reply = Pick<RouteReply, "raw">;

/** The reason of an abort. A constant string avoids creating an error for each poll. */
const DISCONNECTED = "the client disconnected or the service stops";

export class Polls {
  #open = new Set<AbortController>();
  /** Whether the service is stopping; a new poll is then answered at once. */
  stopping = false;

  /** Returns a signal that aborts when the client disconnects or the service stops. */
  hold(reply: Reply): AbortSignal {
    const controller = new AbortController();
    this.#open.add(controller);
    reply.raw.once("close", () => {
      this.#open.delete(controller);
      if (!reply.raw.writableFinished) controller.abort(DISCONNECTED);
    });
    if (reply.raw.destroyed) controller.abort(DISCONNECTED);
    return controller.signal;
  }

  /** A request that is mostly answered at once: it is held only once its signal is read. */
  poll(reply: Reply): Poll {
    return new OpenPoll(this, reply);
  }

  stop(): void {
    this.stopping = true;
    for (const controller of this.#open) controller.abort(DISCONNECTED);
  }
}

class OpenPoll implements Poll {
  readonly #polls: Polls;
  readonly #reply: Reply;
  #signal: AbortSignal | null = null;

  constructor(polls: Polls, reply: Reply) {
    this.#polls = polls;
    this.#reply = reply;
  }

  get isClosed(): boolean {
    return this.#polls.stopping || isDisconnected(this.#reply);
  }

  signal(): AbortSignal {
    this.#signal ??= this.#polls.stopping
      ? AbortSignal.abort(DISCONNECTED)
      : this.#polls.hold(this.#reply);
    return this.#signal;
  }
}

/** Whether the socket is closed, even before its close event has reached all listeners. */
function isDisconnected({ raw }: Reply): boolean {
  return raw.destroyed || raw.socket?.destroyed === true || raw.socket?.readableEnded === true;
}

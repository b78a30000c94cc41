// Requests that are held open. Each learns when its socket has gone, and all are answered when the
// service stops.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Poll } from "../../flows/job/take.ts";

/** Given as the reason, it saves making an error for each poll that ends. */
const GONE = "the caller has gone or the service stops";

export class Polls {
  #open = new Set<AbortController>();
  /** True once the service is stopping: a new poll is held until it is gone. */
  stopping = false;

  /** Aborts when the caller has gone or the service stops. */
  hold(_request: FastifyRequest, reply: FastifyReply): AbortSignal {
    const controller = new AbortController();
    this.#open.add(controller);
    reply.raw.once("close", () => {
      this.#open.delete(controller);
      if (!reply.raw.writableFinished) controller.abort(GONE);
    });
    if (reply.raw.destroyed) controller.abort(GONE);
    return controller.signal;
  }

  /** The same for one that is mostly answered at once: held only when its signal is asked for. */
  poll(request: FastifyRequest, reply: FastifyReply): Poll {
    const polls = this;
    let held: AbortSignal | null = null;
    return {
      get gone() {
        return hungUp(reply) || polls.stopping;
      },
      signal: () => {
        held ??= polls.stopping ? AbortSignal.abort(GONE) : polls.hold(request, reply);
        return held;
      },
    };
  }

  stop(): void {
    this.stopping = true;
    for (const controller of this.#open) controller.abort(GONE);
  }
}

/** What the socket has been told already, before its close makes the round of all who listen. */
function hungUp({ raw }: FastifyReply): boolean {
  return raw.destroyed || raw.socket?.destroyed === true || raw.socket?.readableEnded === true;
}

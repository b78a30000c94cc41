// Requests that are held open. Each learns when its socket has gone, and all are answered when the
// service stops.

import type { FastifyReply, FastifyRequest } from "fastify";

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
      controller.abort();
    });
    return controller.signal;
  }

  stop(): void {
    this.stopping = true;
    for (const controller of this.#open) controller.abort();
  }
}

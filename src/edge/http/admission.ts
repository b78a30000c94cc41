// A reply that goes on for long ends when its caller may not ask for it any more: his key or session is
// over, or opens less, or his role is another.

import type { FastifyReply } from "fastify";
import type { Clock } from "../../base/clock.ts";
import type { Directory } from "../../flows/directory.ts";
import { credentialOf, holderOf, stillMay } from "./caller.ts";

/** Why such a reply is cut, as the signal's reason. */
export const NOT_ADMITTED = new Error("the key or session that asked for this opens it no more");

export class Admission {
  readonly #directory: Directory;
  readonly #clock: Clock;

  constructor({ directory, clock }: { directory: Directory; clock: Clock }) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Aborts with NOT_ADMITTED when what the request came with does not open it any more. */
  until(reply: FastifyReply): AbortSignal {
    const { request } = reply;
    const over = new AbortController();
    const credential = credentialOf(request);
    if (!credential) return over.signal;
    const end = () => over.abort(NOT_ADMITTED);
    const look = async () => {
      try {
        if (!stillMay(request, await holderOf(this.#directory, credential))) end();
      } catch {} // the store is away: nobody can say that it ended
    };
    const stopListening = this.#directory.onForget(() => void look());
    const session = request.holder?.kind === "account" ? request.holder.session : null;
    const cancel = session
      ? this.#clock.after(session.expiresAt - this.#clock.now(), end)
      : () => {};
    // One that has become a WebSocket has no reply that closes.
    const { socket } = request.raw;
    const close = () => {
      stopListening();
      cancel();
      reply.raw.off("close", close);
      socket.off("close", close);
    };
    reply.raw.once("close", close);
    socket.once("close", close);
    return over.signal;
  }
}

// A reply that goes on for long ends when its caller's key or session does.

import type { FastifyReply } from "fastify";
import type { Clock } from "../../base/clock.ts";
import type { Directory } from "../../flows/directory.ts";
import { credentialOf, holderOf } from "./caller.ts";

export class Admission {
  readonly #directory: Directory;
  readonly #clock: Clock;

  constructor({ directory, clock }: { directory: Directory; clock: Clock }) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Aborts when what the request came with opens nothing any more. */
  until(reply: FastifyReply): AbortSignal {
    const { request } = reply;
    const over = new AbortController();
    const credential = credentialOf(request);
    if (!credential) return over.signal;
    const look = async () => {
      try {
        if (!(await holderOf(this.#directory, credential))) over.abort();
      } catch {} // the store is away: nobody can say that it ended
    };
    const stopListening = this.#directory.onForget(() => void look());
    const session = request.holder?.kind === "account" ? request.holder.session : null;
    const cancel = session
      ? this.#clock.after(session.expiresAt - this.#clock.now(), () => over.abort())
      : () => {};
    reply.raw.once("close", () => {
      stopListening();
      cancel();
    });
    return over.signal;
  }
}

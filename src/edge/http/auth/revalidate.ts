// Revalidation of long-lived responses: one ends when its caller loses access, because the key or
// session has ended or the permissions or the role have changed.

import type { FastifyReply } from "fastify";
import { type Clock, msUntil } from "../../../base/clock.ts";
import type { AuthCache } from "../../../flows/auth-cache.ts";
import { credentialOf, isStillAuthorized, principalOf } from "./authorize.ts";

/** The abort reason of a response whose caller lost access. */
export const ACCESS_REVOKED = new Error("the key or session no longer has access");

export class Revalidation {
  readonly #authCache: AuthCache;
  readonly #clock: Clock;

  constructor({ authCache, clock }: { authCache: AuthCache; clock: Clock }) {
    this.#authCache = authCache;
    this.#clock = clock;
  }

  /** Returns a signal that aborts with ACCESS_REVOKED when the request's credential loses access. */
  signalFor(reply: FastifyReply): AbortSignal {
    const { request } = reply;
    const controller = new AbortController();
    const credential = credentialOf(request);
    if (!credential) return controller.signal;
    const end = () => controller.abort(ACCESS_REVOKED);
    const check = async () => {
      try {
        if (!isStillAuthorized(request, await principalOf(this.#authCache, credential))) end();
      } catch {} // the store is unavailable, which does not mean that access ended
    };
    const stopListening = this.#authCache.onInvalidate(() => void check());
    const session = request.principal?.kind === "account" ? request.principal.session : null;
    const cancel = session
      ? this.#clock.after(msUntil(this.#clock, session.expiresAt), end)
      : () => {};
    // A WebSocket has no response that closes, so the socket is watched too.
    const { socket } = request.raw;
    const close = () => {
      stopListening();
      cancel();
      reply.raw.off("close", close);
      socket.off("close", close);
    };
    reply.raw.once("close", close);
    socket.once("close", close);
    return controller.signal;
  }
}

// Revalidation of long-lived responses: one ends when its caller loses access, because the key or
// session has ended or the permissions or the role have changed.

import type { FastifyReply, FastifyRequest } from "fastify";
import { type Clock, msUntil } from "../../../base/clock.ts";
import { whenReady } from "../../../base/ready.ts";
import { ACCESS_REVOKED, type LastingAccess, watchAccess } from "../../../flows/access-watch.ts";
import type { AuthCache } from "../../../flows/auth-cache.ts";
import { credentialOf, isStillAuthorized, principalOf } from "./authorize.ts";

interface Deps {
  authCache: AuthCache;
  clock: Clock;
}

/** The access of a request's caller to its route; null for a caller without a credential. */
export function accessOf(
  { authCache, clock }: Deps,
  request: FastifyRequest,
): LastingAccess | null {
  const credential = credentialOf(request);
  if (!credential) return null;
  const session = request.principal?.kind === "account" ? request.principal.session : null;
  return {
    onChange(listener) {
      const stopListening = authCache.onInvalidate(listener);
      if (!session) return stopListening;
      const cancel = clock.after(msUntil(clock, session.expiresAt), listener);
      return () => {
        stopListening();
        cancel();
      };
    },
    lasts: () =>
      whenReady(principalOf(authCache, credential), (principal) =>
        isStillAuthorized(request, principal),
      ),
  };
}

export class Revalidation {
  readonly #deps: Deps;

  constructor({ authCache, clock }: Deps) {
    this.#deps = { authCache, clock };
  }

  /** Returns a signal that aborts with ACCESS_REVOKED when the request's credential loses access. */
  signalFor(reply: FastifyReply): AbortSignal {
    const { request } = reply;
    const controller = new AbortController();
    const access = accessOf(this.#deps, request);
    if (!access) return controller.signal;
    const endWatch = watchAccess(this.#deps.clock, access, () => controller.abort(ACCESS_REVOKED));
    // A WebSocket has no response that closes, so the socket is watched too.
    const { socket } = request.raw;
    const close = () => {
      endWatch();
      reply.raw.off("close", close);
      socket.off("close", close);
    };
    reply.raw.once("close", close);
    socket.once("close", close);
    return controller.signal;
  }
}

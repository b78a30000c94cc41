// How long a worker's request waits for a store that is away: a post as long as it may take to be
// sent, a poll as long as it is held anyhow.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Patience } from "../../flows/store-away.ts";
import type { Polls } from "./polls.ts";

export function patienceFor(
  { clock, protocol, polls }: { clock: Clock; protocol: Protocol; polls: Polls },
  request: FastifyRequest,
  reply: FastifyReply,
  mostMs = request.method === "POST" ? protocol.postHoldMs : protocol.pollHoldMs,
): Patience {
  let gone: AbortSignal | null = null;
  return {
    clock,
    until: clock.now() + mostMs,
    gone() {
      gone ??= polls.hold(request, reply);
      return gone;
    },
  };
}

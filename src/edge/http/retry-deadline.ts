// How long a worker's request waits while the store is unavailable: a post for `postHoldMs`, a poll for
// as long as polls are held.

import { type Clock, Deadline } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { RetryDeadline } from "../../flows/store-unavailable.ts";
import type { Polls } from "./held-requests.ts";
import type { RouteReply, RouteRequest } from "./request/route.ts";

export function retryDeadlineFor(
  { clock, protocol, polls }: { clock: Clock; protocol: Protocol; polls: Polls },
  request: RouteRequest,
  reply: RouteReply,
  maxWaitMs = request.method === "POST" ? protocol.postHoldMs : protocol.pollHoldMs,
): RetryDeadline {
  let signal: AbortSignal | null = null;
  return {
    deadline: new Deadline(clock, maxWaitMs),
    signal() {
      signal ??= polls.hold(reply);
      return signal;
    },
  };
}

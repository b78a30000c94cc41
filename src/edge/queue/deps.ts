// What the queue's and the workers' routes are given. Each passes on to a flow what that one asks.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Directory } from "../../flows/directory.ts";
import type { RateLimits } from "../../flows/rate-limits.ts";
import type { Presence } from "../../flows/worker/presence.ts";
import type { Store } from "../../store/store.ts";
import type { BodiesInFlight } from "../http/in-flight.ts";
import type { Polls } from "../http/polls.ts";

export interface EdgeDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  protocol: Protocol;
  directory: Directory;
  presence: Presence;
  polls: Polls;
  inFlight: BodiesInFlight;
  rates: RateLimits;
}

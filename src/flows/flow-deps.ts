// The dependencies that most flows take; a flow names those it needs.

import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Store } from "../store/engine/store.ts";

export interface FlowDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

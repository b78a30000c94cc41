// What the management interface's routes are given. Each passes on to a flow what that one asks.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import type { Store } from "../../store/store.ts";

export interface RestDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** Which driver would run a workload; null if none here can. */
  driverFor: (workload: ReleaseWorkload) => string | null;
}

// Whether a machine can run another worker of an endpoint.

import type { Clock } from "../../base/clock.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { decideFleet } from "../../domain/endpoint/fleet-plan.ts";
import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import type { PassedOver } from "../../domain/fault.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { findRelease } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { decideForWorker } from "../../transactions/place/worker.ts";
import type { Troubles } from "../trouble/troubles.ts";
import { readFleet } from "./fleet.ts";

export interface CapacityDeps {
  /** The driver that runs a release; null if no machine has it. */
  driverOfRelease: (workload: Pick<ReleaseWorkload, "driver">) => string | null;
  store: Store;
  clock: Clock;
  catalog: Catalog;
  heartbeatTiming: HeartbeatTiming;
  /** Null if this service allows none. */
  troubles: Troubles | null;
}

/** Why no machine can run another worker now; null if one can, or if placement is unrestricted. */
export async function lackOfCapacity(
  { store, catalog, heartbeatTiming, troubles }: CapacityDeps,
  { id, spec, accountId, owner }: Endpoint,
  driver: string,
  now: number,
): Promise<PassedOver[] | null> {
  if (troubles?.concerns("all-throttled", id))
    return [{ machine: "every machine", reason: "the fault all-throttled is on" }];
  const since = now - heartbeatTiming.goneMs;
  const asker = askerOf({ accountId, owner });
  const search = { since, machine: null, except: null, asker, at: now };
  const found = await store.read(decideForWorker, catalog, spec, driver, search);
  return found === null || "placed" in found ? null : found.passedOver;
}

/** How many workers the endpoint lacks because no machine can run them. */
export async function countThrottled(
  deps: CapacityDeps,
  endpoint: Endpoint,
  now: number,
): Promise<number> {
  const { fleet } = await deps.store.read(readFleet, endpoint, now);
  const { start } = decideFleet(fleet);
  if (start === 0) return 0;
  const release = await deps.store.read(findRelease, endpoint.id, endpoint.version);
  const driver = release && deps.driverOfRelease(release.workload);
  // No machine offers the driver, such as while the only one is lost.
  if (!driver) return release ? start : 0;
  return (await lackOfCapacity(deps, endpoint, driver, now)) === null ? 0 : start;
}

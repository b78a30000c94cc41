// Where a new worker goes: a machine that has the driver it needs, the one with the fewest workers.
// Pure.

import type { ReleaseWorkload } from "../endpoint/release.ts";

export interface Place {
  machine: string;
  drivers: readonly string[];
  /** Workers on it that have not ended. */
  workers: number;
}

/** A template may name its driver; one that names none is run in a container where that can be. */
export function driverOf(
  workload: Pick<ReleaseWorkload, "driver">,
  offered: (driver: string) => boolean,
): string {
  return workload.driver ?? (offered("docker") ? "docker" : "process");
}

/** A machine for each of `count` workers, the first machine by name where two have as few; none if none can. */
export function placeWorkers(places: readonly Place[], driver: string, count: number): string[] {
  const able = places
    .filter(({ drivers }) => drivers.includes(driver))
    .map(({ machine, workers }) => ({ machine, workers }));
  const placed: string[] = [];
  for (let n = 0; n < count && able.length > 0; n++) {
    able.sort((a, b) => a.workers - b.workers || (a.machine < b.machine ? -1 : 1));
    able[0]!.workers++;
    placed.push(able[0]!.machine);
  }
  return placed;
}

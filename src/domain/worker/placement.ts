// Which driver runs a worker, and where one goes that asks for nothing else. Pure.

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

/** The machine with the fewest workers among those that have the driver; null if none has. */
export function fewestWorkers(places: readonly Place[], driver: string): string | null {
  const able = places.filter(({ drivers }) => drivers.includes(driver));
  const order = (a: Place, b: Place) => a.workers - b.workers || (a.machine < b.machine ? -1 : 1);
  return able.toSorted(order)[0]?.machine ?? null;
}

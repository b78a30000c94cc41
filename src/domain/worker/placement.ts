// Chooses the driver of a worker, and the machine of a worker that needs nothing but its driver. Pure.

import type { ReleaseWorkload } from "../endpoint/release.ts";

export interface Place {
  machine: string;
  drivers: readonly string[];
  /** The number of its live workers. */
  workers: number;
}

/** The template's driver; if it names none, Docker if available. */
export function driverOf(
  workload: Pick<ReleaseWorkload, "driver">,
  offered: (driver: string) => boolean,
): string {
  return workload.driver ?? (offered("docker") ? "docker" : "process");
}

/** The machine with the fewest workers among those with the driver; null if there is none. */
export function fewestWorkers(places: readonly Place[], driver: string): string | null {
  const able = places.filter(({ drivers }) => drivers.includes(driver));
  const order = (a: Place, b: Place) => a.workers - b.workers || (a.machine < b.machine ? -1 : 1);
  return able.toSorted(order)[0]?.machine ?? null;
}

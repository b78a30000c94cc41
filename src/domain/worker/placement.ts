// Chooses the driver of a worker, and the machine of a worker that needs nothing but its driver. Pure.

import type { ReleaseWorkload } from "../endpoint/release.ts";
import { driverOn } from "../placement/driver-on.ts";

export interface CandidateMachine {
  machine: string;
  drivers: readonly string[];
  /** The number of its live workers. */
  workers: number;
}

/** The driver of a Pod or release that is made: if it names none, containers if available, or else simulated ones. */
export function driverOfNew(
  workload: { driver: string | null },
  offered: (driver: string) => boolean,
): string {
  return workload.driver ?? ["docker", "simulated"].find(offered) ?? "process";
}

/**
 * The driver of a release. One that names none was made for containers or processes: while its machine is away, no simulated
 * worker may answer its jobs.
 */
export function driverOf(
  workload: Pick<ReleaseWorkload, "driver">,
  offered: (driver: string) => boolean,
): string {
  return workload.driver ?? (offered("docker") ? "docker" : "process");
}

/**
 * The machine with the fewest workers among those with the driver that have to download the fewest models;
 * null if there is none.
 */
export function fewestWorkers(
  places: readonly CandidateMachine[],
  requested: string,
  missing: (machine: string) => number = () => 0,
): { machine: string; driver: string } | null {
  const able = places.flatMap(({ drivers, ...place }) => {
    const driver = driverOn(drivers, requested);
    return driver === null ? [] : [{ ...place, driver }];
  });
  type Able = (typeof able)[number];
  const order = (a: Able, b: Able) =>
    missing(a.machine) - missing(b.machine) ||
    a.workers - b.workers ||
    (a.machine < b.machine ? -1 : 1);
  const [best] = able.toSorted(order);
  return best ? { machine: best.machine, driver: best.driver } : null;
}

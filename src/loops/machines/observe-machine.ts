// Observes all containers and processes of a machine, and which of them use its GPUs.

import type { GpuUser } from "../../domain/pod/diff.ts";
import { type Driver, DriverUnavailable, type Observation } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { startedWithGpus } from "../../transactions/place/started-gpus.ts";

export interface DriverObservations {
  driver: Driver;
  containers: Observation[];
}

/** A driver that does not answer does not keep the others from being observed. */
export async function observeAll(
  drivers: Driver[],
): Promise<{ observations: DriverObservations[]; unavailable: DriverUnavailable[] }> {
  const observations: DriverObservations[] = [];
  const unavailable: DriverUnavailable[] = [];
  for (const driver of drivers) {
    try {
      observations.push({ driver, containers: await driver.list() });
    } catch (error) {
      if (!(error instanceof DriverUnavailable)) throw error;
      unavailable.push(error);
    }
  }
  return { observations, unavailable };
}

/** `busy` are workloads with an operation under way: their containers may be starting or ending. */
export async function gpuUsers(
  store: Store,
  machine: string,
  busy: ReadonlySet<string>,
  observations: DriverObservations[],
): Promise<GpuUser[]> {
  const containers = observations.flatMap((each) => each.containers);
  const running = containers.filter(({ state }) => state === "running");
  const present = new Set([...busy, ...running.map(({ id }) => id)]);
  return store.read(startedWithGpus, machine, present);
}

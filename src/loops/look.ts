// A look at all that runs on a machine, and at who has its GPUs in a container that runs.

import type { GpuUser } from "../domain/pod/diff.ts";
import { type Driver, DriverAway, type Sighting } from "../drivers/driver.ts";
import { startedWithGpus } from "../store/place/gpus.ts";
import type { Store } from "../store/store.ts";

export interface Look {
  driver: Driver;
  seen: Sighting[];
}

/** One that does not answer keeps nobody from looking at the others. */
export async function lookAt(drivers: Driver[]): Promise<{ looks: Look[]; away: DriverAway[] }> {
  const looks: Look[] = [];
  const away: DriverAway[] = [];
  for (const driver of drivers) {
    try {
      looks.push({ driver, seen: await driver.list() });
    } catch (error) {
      if (!(error instanceof DriverAway)) throw error;
      away.push(error);
    }
  }
  return { looks, away };
}

/** `busy` are those that may be on their way up, or still on their way down. */
export async function gpuUsers(
  store: Store,
  machine: string,
  busy: ReadonlySet<string>,
  looks: Look[],
): Promise<GpuUser[]> {
  const running = looks.flatMap(({ seen }) => seen.filter(({ state }) => state === "running"));
  const there = new Set([...busy, ...running.map(({ id }) => id)]);
  const started = await store.read(startedWithGpus, machine);
  return started.filter(({ id }) => there.has(id));
}

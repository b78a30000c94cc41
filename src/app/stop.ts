// Ends the service without losing anything: held polls are answered, local processes get SIGTERM
// and may still post their results, what they could not finish goes back to the queue uncounted.

import type { Server } from "node:http";
import { type Clock, pause } from "../base/clock.ts";
import type { Protocol } from "../domain/protocol.ts";
import type { Driver } from "../drivers/driver.ts";
import { isStoreAway } from "../flows/store-away.ts";
import { giveBackAll } from "../store/job/give-back.ts";
import { podsOn } from "../store/pod/row.ts";
import { markPodStopped } from "../store/pod/seen.ts";
import { liveWorkersOn, markEnded, markSignalled, wantEnd } from "../store/worker/worker.ts";
import type { House } from "./compose.ts";

/** `paths` is the proxy's own listener, if it has one. */
export async function stopHouse(
  house: House,
  paths: Server | null,
  protocol: Protocol,
  clock: Clock,
): Promise<void> {
  await house.loops()?.stop();
  await ifStoreIsThere(house.leave());
  const workers = await tellLocalWorkers(house, clock);
  house.polls.stop();
  // A job on its way to a worker must be there before the signal is, or the SDK drops it.
  if (workers.length > 0) await pause(clock, protocol.endingHoldMs);
  await Promise.all([
    endLocalWorkers(house, workers, protocol, clock),
    endLocalPods(house, protocol, clock),
  ]);
  house.app.server.closeIdleConnections();
  const closed = Promise.all([house.app.close(), paths && closing(paths)]);
  await Promise.race([closed, pause(clock, 1_000)]);
  house.proxying.end();
  house.app.server.closeAllConnections();
  paths?.closeAllConnections();
  await closed;
  await house.shutDoor();
  for (const driver of house.drivers) await driver.close();
  await house.store.close();
}

const closing = (server: Server) => new Promise((resolve) => server.close(resolve));

const WHY = "the service was stopped";

/** Containers live on; processes and fakes of this machine are ours and end with us. */
async function tellLocalWorkers(house: House, clock: Clock): Promise<LocalWorker[]> {
  const { store } = house;
  const workers = await localWorkers(house);
  const told = workers.flatMap(({ id }) => [
    store.write(wantEnd, id, "end", WHY, clock.now()),
    store.write(markSignalled, id, clock.now()),
  ]);
  await Promise.all(told.map((each) => ifStoreIsThere<unknown>(each)));
  return workers;
}

interface LocalWorker {
  id: string;
  driver: Driver;
}

async function localWorkers({ store, drivers, replica }: House): Promise<LocalWorker[]> {
  const known = await ifStoreIsThere(store.read(liveWorkersOn, replica.machine));
  const ending = drivers.filter(({ outlives }) => !outlives);
  const perDriver = ending.map(async (driver) => {
    const ids = known?.filter((each) => each.driver === driver.name) ?? (await driver.list());
    return ids.map(({ id }) => ({ id, driver }));
  });
  return (await Promise.all(perDriver)).flat();
}

/** A store that is away keeps nobody from stopping: the next start sees what was not written. */
async function ifStoreIsThere<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if (isStoreAway(error)) return null;
    throw error;
  }
}

async function endLocalWorkers(
  { store }: House,
  workers: LocalWorker[],
  protocol: Protocol,
  clock: Clock,
) {
  await Promise.all(
    workers.map(async ({ id, driver }) => {
      await driver.stop(id, protocol.drainMs);
      const sighting = (await driver.list()).find((each) => each.id === id);
      const { exitCode = null, signal = null } = sighting ?? {};
      await ifStoreIsThere(store.write(giveBackAll, id, WHY, clock.now()));
      await ifStoreIsThere(store.write(markEnded, id, { at: clock.now(), exitCode, signal }));
    }),
  );
}

/** They are wanted to run all the same: the next start begins with them. */
async function endLocalPods(
  { store, drivers, replica }: House,
  protocol: Protocol,
  clock: Clock,
): Promise<void> {
  // Where nobody can say which are Pods, they have been ended among the workers.
  const pods = (await ifStoreIsThere(store.read(podsOn, replica.machine))) ?? [];
  await Promise.all(
    pods.map(async (pod) => {
      const { id, state, driver: name } = pod;
      const driver = drivers.find((each) => each.name === name);
      if (!driver || driver.outlives || state !== "RUNNING") return;
      await driver.stop(id, protocol.drainMs);
      await ifStoreIsThere(store.write(markPodStopped, pod, clock.now()));
    }),
  );
}

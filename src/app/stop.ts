// Ends the service without losing anything: held polls are answered, local processes get SIGTERM
// and may still post their results, what they could not finish goes back to the queue uncounted.

import { type Clock, pause } from "../base/clock.ts";
import type { Protocol } from "../domain/protocol.ts";
import { giveBackAll } from "../store/job/give-back.ts";
import { liveWorkersOn, markEnded, markSignalled, wantEnd } from "../store/worker/worker.ts";
import type { House } from "./compose.ts";

export async function stopHouse(house: House, protocol: Protocol, clock: Clock): Promise<void> {
  await house.loops()?.stop();
  await house.leave();
  const workers = await tellLocalWorkers(house, clock);
  house.polls.stop();
  // A job on its way to a worker must be there before the signal is, or the SDK drops it.
  if (workers.length > 0) await pause(clock, protocol.endingHoldMs);
  await endLocalWorkers(house, workers, protocol, clock);
  house.app.server.closeIdleConnections();
  const closed = house.app.close();
  await Promise.race([closed, pause(clock, 1_000)]);
  house.app.server.closeAllConnections();
  await closed;
  for (const driver of house.drivers) await driver.close();
  await house.store.close();
}

const WHY = "the service was stopped";

/** Containers live on; processes and fakes of this machine are ours and end with us. */
async function tellLocalWorkers({ store, drivers, replica }: House, clock: Clock) {
  const workers = (await store.read(liveWorkersOn, replica.machine)).flatMap(
    ({ id, driver: name }) => {
      const driver = drivers.find((each) => each.name === name);
      return driver && !driver.outlives ? [{ id, driver }] : [];
    },
  );
  const told = workers.flatMap(({ id }) => [
    store.write(wantEnd, id, "end", WHY, clock.now()),
    store.write(markSignalled, id, clock.now()),
  ]);
  await Promise.all(told);
  return workers;
}

async function endLocalWorkers(
  { store }: House,
  workers: Awaited<ReturnType<typeof tellLocalWorkers>>,
  protocol: Protocol,
  clock: Clock,
) {
  await Promise.all(
    workers.map(async ({ id, driver }) => {
      await driver.stop(id, protocol.drainMs);
      const sighting = (await driver.list()).find((each) => each.id === id);
      await store.write(giveBackAll, id, WHY, clock.now());
      await store.write(markEnded, id, {
        at: clock.now(),
        exitCode: sighting?.exitCode ?? null,
        signal: sighting?.signal ?? null,
      });
    }),
  );
}

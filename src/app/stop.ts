// Ends the service without losing anything: held polls are answered, local processes get SIGTERM
// and may still post their results, what they could not finish goes back to the queue uncounted.

import { type Clock, pause } from "../base/clock.ts";
import type { Protocol } from "../domain/protocol.ts";
import { giveBackAll } from "../store/job/give-back.ts";
import { allLiveWorkers, markEnded, wantEnd } from "../store/worker/worker.ts";
import type { House } from "./compose.ts";

export async function stopHouse(house: House, protocol: Protocol, clock: Clock): Promise<void> {
  house.polls.stop();
  await house.loops()?.stop();
  await endLocalWorkers(house, protocol, clock);
  house.app.server.closeIdleConnections();
  const closed = house.app.close();
  await Promise.race([closed, pause(clock, 1_000)]);
  house.app.server.closeAllConnections();
  await closed;
  for (const driver of house.drivers) await driver.close();
  await house.store.close();
}

/** Containers would live on; processes and fakes are ours and end with us. */
async function endLocalWorkers({ store, drivers }: House, protocol: Protocol, clock: Clock) {
  const workers = await store.read(allLiveWorkers);
  const why = "the service was stopped";
  await Promise.all(
    workers.map(async ({ id, driver: name }) => {
      const driver = drivers.find((each) => each.name === name);
      if (!driver) return;
      await store.write(wantEnd, id, "end", why, clock.now());
      await driver.stop(id, protocol.drainMs);
      const sighting = (await driver.list()).find((each) => each.id === id);
      await store.write(giveBackAll, id, why, clock.now());
      await store.write(markEnded, id, {
        at: clock.now(),
        exitCode: sighting?.exitCode ?? null,
        signal: sighting?.signal ?? null,
      });
    }),
  );
}

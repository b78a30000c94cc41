// The shutdown of the service, which loses nothing: held polls are answered, local processes get
// SIGTERM and may still post results, and jobs they did not finish are requeued without counting a
// retry.

import type { Server } from "node:http";
import type { Server as SocketServer } from "node:net";
import { type Clock, Deadline, pause, within } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Driver } from "../../drivers/driver.ts";
import { isStoreUnavailable } from "../../flows/store-unavailable.ts";
import { podsOn } from "../../store/pod/row.ts";
import { liveWorkersOn } from "../../store/worker/worker.ts";
import { requeueAllOf } from "../../transactions/job/requeue.ts";
import { markPodStopped } from "../../transactions/pod/observe.ts";
import { markEnded, markSignalled } from "../../transactions/worker/observe.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import type { Service } from "./compose.ts";

/** `paths` is the proxy's own listener, if it has one. */
export async function stopService(
  service: Service,
  paths: Server | null,
  protocol: Protocol,
  clock: Clock,
): Promise<void> {
  await service.loops()?.stop();
  await ifStoreIsAvailable(service.leave());
  const workers = await signalLocalWorkers(service, clock);
  service.polls.stop();
  // A job on its way to a worker must arrive before the signal, or the SDK drops it.
  if (workers.length > 0) await pause(clock, protocol.endingHoldMs);
  await Promise.all([
    endLocalWorkers(service, workers, protocol, clock),
    endLocalPods(service, protocol, clock),
  ]);
  service.app.server.closeIdleConnections();
  const others = [paths, service.s3Server].filter((server) => server?.listening) as Server[];
  for (const server of others) server.closeIdleConnections();
  const { sshServer } = service;
  const sockets = [...others, sshServer].filter((server) => server.listening);
  const closed = Promise.all([service.app.close(), ...sockets.map(closing)]);
  await within(new Deadline(clock, 1_000), () => closed);
  service.proxying.end();
  service.app.server.closeAllConnections();
  for (const server of [...others, sshServer]) server.closeAllConnections();
  await closed;
  await service.closeGateway();
  for (const driver of service.drivers) await driver.close();
  await service.store.close();
}

const closing = (server: SocketServer) => new Promise((resolve) => server.close(resolve));

const WHY = "the service stopped";

/** Containers keep running; processes and simulated workloads belong to this service and end with it. */
async function signalLocalWorkers(service: Service, clock: Clock): Promise<LocalWorker[]> {
  const { store } = service;
  const workers = await localWorkers(service);
  const writes = workers.flatMap(({ id }) => [
    store.write(requestWorkerEnd, id, "end", WHY, clock.now()),
    store.write(markSignalled, id, clock.now()),
  ]);
  await Promise.all(writes.map((each) => ifStoreIsAvailable<unknown>(each)));
  return workers;
}

interface LocalWorker {
  id: string;
  driver: Driver;
}

async function localWorkers({ store, drivers, replica }: Service): Promise<LocalWorker[]> {
  const known = await ifStoreIsAvailable(store.read(liveWorkersOn, replica.machine));
  const ending = drivers.filter(({ survivesRestart }) => !survivesRestart);
  const perDriver = ending.map(async (driver) => {
    const ids = known?.filter((each) => each.driver === driver.name) ?? (await driver.list());
    return ids.map(({ id }) => ({ id, driver }));
  });
  return (await Promise.all(perDriver)).flat();
}

/**
 * An unavailable store does not block the shutdown: the next start observes what was not written.
 */
async function ifStoreIsAvailable<Result>(query: Promise<Result>): Promise<Result | null> {
  try {
    return await query;
  } catch (error) {
    if (isStoreUnavailable(error)) return null;
    throw error;
  }
}

async function endLocalWorkers(
  { store }: Service,
  workers: LocalWorker[],
  protocol: Protocol,
  clock: Clock,
) {
  await Promise.all(
    workers.map(async ({ id, driver }) => {
      await driver.stop(id, protocol.drainMs);
      const observation = (await driver.list()).find((each) => each.id === id);
      const { exitCode = null, signal = null } = observation ?? {};
      await ifStoreIsAvailable(store.write(requeueAllOf, id, WHY, clock.now()));
      await ifStoreIsAvailable(store.write(markEnded, id, { at: clock.now(), exitCode, signal }));
    }),
  );
}

/** The Pods are still desired: the next start begins with them. */
async function endLocalPods(
  { store, drivers, replica }: Service,
  protocol: Protocol,
  clock: Clock,
): Promise<void> {
  // If the store cannot tell which workloads are Pods, they were stopped among the workers.
  const pods = (await ifStoreIsAvailable(store.read(podsOn, replica.machine))) ?? [];
  await Promise.all(
    pods.map(async (pod) => {
      const { id, desired, placement } = pod;
      const driver = drivers.find(({ name }) => name === placement.driver);
      if (!driver || driver.survivesRestart || desired.state !== "RUNNING") return;
      await driver.stop(id, protocol.drainMs);
      await ifStoreIsAvailable(store.write(markPodStopped, pod, clock.now()));
    }),
  );
}

// Makes what runs equal to what is wanted, and writes down what is seen. It asks every driver for
// the whole truth each time, so that after a crash nothing is doubled and nothing is forgotten.

import type { FastifyBaseLogger } from "fastify";
import { type Clock, pause } from "../base/clock.ts";
import type { Vault } from "../base/vault.ts";
import type { ReleaseWorkload } from "../domain/endpoint/release.ts";
import type { Inventory } from "../domain/machine/inventory.ts";
import { type GpuUser, gpusInUse } from "../domain/pod/diff.ts";
import type { Protocol } from "../domain/protocol.ts";
import { diffWorkers, type WorkerStep } from "../domain/worker/diff.ts";
import { workerEnv } from "../domain/worker/env.ts";
import { judgeHealth } from "../domain/worker/health.ts";
import { limitsOf, type Share } from "../domain/worker/limits.ts";
import {
  type Driver,
  DriverAway,
  StartCut,
  StartRefused,
  type VolumeMount,
} from "../drivers/driver.ts";
import { volumeOn } from "../flows/network-volume/of-worker.ts";
import { findEndpointEver, findRelease } from "../store/endpoint/endpoint.ts";
import { numbers, podIdsOn } from "../store/pod/row.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import {
  type LiveWorker,
  liveWorkersOn,
  markEnded,
  markSignalled,
  markStarted,
  markUnhealthy,
  wantEnd,
} from "../store/worker/worker.ts";
import type { Busy } from "./busy.ts";
import { gpuUsers, type Look, lookAt } from "./look.ts";
import type { Loop } from "./loop.ts";
import { telling } from "./telling.ts";
import { unseal } from "./unseal.ts";
import { Watch } from "./watch.ts";

export interface ReconcileDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
  protocol: Protocol;
  /** The machine this replica has: what runs elsewhere is for others to see and end. */
  machine: string;
  inventory: Inventory;
  drivers: Driver[];
  vault: Vault;
  workerSecret: (workerId: string) => string;
  /** Where an account's workers reach us. */
  originFor: (driver: string, accountId: string) => Promise<string>;
  /** What is under way on the machine, with Pods too. */
  busy: Busy;
}

/** How long a stop of the service waits for commands that are under way. */
const END_MS = 3_000;

/** Aborted once nothing may be written any more. */
type Turning = ReconcileDeps & { ended: AbortSignal };

export function reconcileLoop(deps: ReconcileDeps): Loop {
  const { busy } = deps;
  const watch = new Watch(deps.clock.now());
  const ended = new AbortController();
  for (const driver of deps.drivers) {
    driver.onChange(() => deps.store.wakes.ring(topic.workloads));
  }
  return {
    name: "reconcile",
    shared: false,
    periodMs: 1_000,
    restMs: 20,
    topics: [topic.workloads],
    async turn() {
      const workers = await deps.store.read(liveWorkersOn, deps.machine);
      const since = watch.look(deps.clock.now());
      const { looks, away } = await lookAt(deps.drivers);
      // Asked for afterwards, so that a Pod that was just started is not taken for a stray.
      const pods = new Set(await deps.store.read(podIdsOn, deps.machine));
      const waiting = workers.some(({ observed, gpus }) => observed === "new" && gpus !== "");
      const users = waiting ? await gpuUsers(deps.store, deps.machine, busy.now(), looks) : [];
      for (const { driver, seen } of looks) {
        const its = workers.filter((worker) => worker.driver === driver.name);
        const look = { driver, seen: seen.filter(({ id }) => !pods.has(id)) };
        await reconcile({ ...deps, ended: ended.signal }, look, its, users);
      }
      for (const worker of workers) cutShort(deps, worker);
      for (const worker of workers) await judge(deps, worker, since);
      for (const worker of workers) await letGo(deps, worker);
      if (away.length > 0) throw away[0];
      return null;
    },
    async finish() {
      await busy.end(deps.clock, END_MS);
      ended.abort();
    },
  };
}

async function reconcile(
  deps: Turning,
  { driver, seen }: Look,
  workers: LiveWorker[],
  users: GpuUser[],
): Promise<void> {
  for (const step of diffWorkers(workers, seen, deps.clock.now())) {
    const worker = workers.find(({ id }) => id === step.id);
    const gpus = worker ? numbers(worker.gpus) : [];
    if (step.do === "start" && gpusInUse({ id: step.id, gpus }, users)) continue;
    // What is not there yet may come, and what has ended may be what a failed start left for a moment.
    if (step.do === "noteEnded" && deps.busy.doing(step.id) === "start") continue;
    await carryOut(deps, driver, step, worker);
  }
}

/** Whoever waits for an image and is not wanted any more waits no longer. */
function cutShort({ busy, drivers, protocol }: ReconcileDeps, worker: LiveWorker): void {
  if (worker.desired === "run" || busy.doing(worker.id) !== "start") return;
  const driver = drivers.find(({ name }) => name === worker.driver);
  busy.beside(worker.id, async () => driver?.stop(worker.id, protocol.endGraceMs));
}

async function carryOut(
  deps: Turning,
  driver: Driver,
  step: WorkerStep,
  worker: LiveWorker | undefined,
): Promise<void> {
  const { store, protocol, busy } = deps;
  switch (step.do) {
    case "noteStarted":
      return store.write(markStarted, step.id, step.at);
    case "noteEnded":
      await store.write(markEnded, step.id, step);
      return store.wakes.ring(topic.workloads);
    case "start":
      return busy.run(step.id, () => start(deps, driver, worker!), "start");
    case "stop":
      return busy.run(step.id, () => stop(deps, driver, step.id));
    case "stopStray":
      deps.log.warn({ worker: step.id, driver: driver.name }, "ending a workload nobody wants");
      return busy.run(step.id, () => driver.stop(step.id, protocol.endGraceMs));
  }
}

function shareOf(worker: LiveWorker, { containerDiskInGb = 0 }: ReleaseWorkload): Share {
  const { gpu_type_id: gpuTypeId, vcpus, memory_mb: memoryMb } = worker;
  return { gpuTypeId, vcpus, memoryMb, diskGb: containerDiskInGb };
}

async function start(deps: Turning, driver: Driver, worker: LiveWorker): Promise<void> {
  const { store, log, protocol } = deps;
  try {
    const release = await store.read(findRelease, worker.endpoint_id, worker.version);
    const endpoint = await store.read(findEndpointEver, worker.endpoint_id);
    if (!release || !endpoint) return;
    const { workload } = release;
    const { accountId: account } = endpoint;
    const volumeId = await volumeOf(deps, workload);
    const { env: own, ...opening } = await unseal(deps, { accountId: account, ...workload });
    const env = workerEnv(
      {
        workerId: worker.id,
        endpointId: endpoint.id,
        key: deps.workerSecret(worker.id),
        origin: await deps.originFor(driver.name, endpoint.accountId),
        pingIntervalMs: protocol.pingIntervalMs,
        gpuTypeId: worker.gpu_type_id,
        virtualGpu: worker.virtual === 1,
        skipSystemChecks: driver.name !== "docker",
        volumeId,
      },
      own,
    );
    const { image, entrypoint, command } = workload;
    const volumes = mountsOf(volumeId);
    const resources = {
      ...limitsOf(shareOf(worker, workload), deps.inventory),
      ...(worker.virtual === 0 && { gpuIndices: numbers(worker.gpus) }),
    };
    const what = { id: worker.id, image, entrypoint, command, env, account };
    await driver.start({ ...what, ...opening, resources, volumes }, telling(deps, worker.id));
    if (!deps.ended.aborted) await store.write(markStarted, worker.id, deps.clock.now());
  } catch (error) {
    // A pull may outlast the service; the next one begins it anew.
    if (deps.ended.aborted) return;
    // It says nothing about the worker.
    if (error instanceof DriverAway) throw error;
    // The next look finds that it is gone, as is wanted.
    if (error instanceof StartCut) return;
    log.error({ err: error, worker: worker.id }, "a worker could not be started");
    const why = error instanceof StartRefused ? error.message : "it could not be started";
    await store.write(markUnhealthy, worker.id, why);
    const cause = error instanceof StartRefused ? error.why : null;
    const end = { at: deps.clock.now(), exitCode: null, signal: null, cause };
    await store.write(markEnded, worker.id, end);
  }
}

/** Of the endpoint's network volumes the one that is here; null where it has none. */
async function volumeOf(
  { store, machine }: ReconcileDeps,
  { networkVolumeIds }: ReleaseWorkload,
): Promise<string | null> {
  if (networkVolumeIds.length === 0) return null;
  const volume = await store.read(volumeOn, networkVolumeIds, machine);
  if (volume) return volume.id;
  throw new StartRefused("none of its endpoint's network volumes is on this machine");
}

/** Where images of workers look for it. */
function mountsOf(volumeId: string | null): VolumeMount[] {
  if (volumeId === null) return [];
  return [{ kind: "network", name: volumeId, mountPath: "/runpod-volume" }];
}

/** First its polls are let go, so that no job can reach it any more; only then it is signalled. */
async function stop(deps: ReconcileDeps, driver: Driver, id: string): Promise<void> {
  const { store, clock, protocol } = deps;
  await store.write(markSignalled, id, clock.now());
  await pause(clock, protocol.endingHoldMs);
  await driver.stop(id, protocol.endGraceMs);
}

/** A worker of a driver that is not here any more cannot be ended, only given up. */
async function letGo({ store, clock, drivers }: ReconcileDeps, worker: LiveWorker) {
  const leaving = worker.desired === "end" || (worker.desired === "drain" && worker.held === 0);
  if (!leaving || drivers.some(({ name }) => name === worker.driver)) return;
  await store.write(markEnded, worker.id, { at: clock.now(), exitCode: null, signal: null });
}

/**
 * A worker that cannot serve takes no more jobs; if it never came up or fell silent it is ended.
 * Before `since` we were not there to be called: that silence was ours.
 */
async function judge({ store, clock, protocol }: ReconcileDeps, worker: LiveWorker, since: number) {
  if (worker.observed !== "running" || worker.unhealthy !== null) return;
  const now = clock.now();
  const why = judgeHealth(
    {
      startedAt: Math.max(worker.started_at ?? worker.created_at, since),
      readyAt: worker.ready_at,
      pingedAt: worker.pinged_at,
      pingVersion: worker.ping_version,
      seenAt: Math.max(worker.seen_at ?? 0, since),
      held: worker.held,
      draining: worker.desired !== "run",
    },
    now,
    protocol,
  );
  if (why === null) return;
  await store.write(markUnhealthy, worker.id, why);
  await store.write(wantEnd, worker.id, "end", why, now);
}

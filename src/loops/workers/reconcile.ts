// Makes the observed workers equal to the desired ones, and records what it observes. Each pass lists
// everything that runs, so that after a crash no worker is started twice and none is left behind.

import { Deadline, pause } from "../../base/clock.ts";
import { overdueSignalMs } from "../../domain/pod/container/overdue-end.ts";
import { type GpuUser, gpusInUse } from "../../domain/pod/diff.ts";
import { judgeServing } from "../../domain/serving/health-check.ts";
import { diffWorkers, type WorkerStep } from "../../domain/worker/diff.ts";
import { judgeHealth } from "../../domain/worker/health.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import type { Driver } from "../../drivers/driver.ts";
import type { ModelCache } from "../../drivers/models/model-cache.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { stopsOf } from "../../store/job/stop.ts";
import { podIdsOn } from "../../store/pod/row.ts";
import { liveWorkersOn } from "../../store/worker/worker.ts";
import {
  markEnded,
  markSignalled,
  markStarted,
  markUnhealthy,
} from "../../transactions/worker/observe.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import type { Busy } from "../engine/busy-workloads.ts";
import { Watch } from "../engine/connected-since.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";
import { OverdueEnds } from "../engine/overdue-ends.ts";
import { type DriverObservations, gpuUsers, observeAll } from "../machines/observe-machine.ts";
import { type KnownTimes, ReportedTimes } from "../machines/reported-times.ts";
import { type LaunchDeps, launchWorker } from "./launch-worker.ts";
import { MachineModels } from "./provide-models.ts";

export interface ReconcileDeps extends Omit<LaunchDeps, "models" | "ended"> {
  drivers: Driver[];
  /** Absent if the machine has no model cache. */
  modelCache?: ModelCache;
  /** Commands that run on the machine, for Pods too. */
  busy: Busy;
}

/** How long a stop of the service waits for running commands. */
const END_MS = 3_000;

type PassDeps = ReconcileDeps & LaunchDeps;

export function reconcileLoop(deps: ReconcileDeps): Loop {
  const { busy } = deps;
  const watch = new Watch(deps.clock);
  const times = new ReportedTimes(deps);
  const ended = new AbortController();
  const models = new MachineModels(deps);
  const overdue = new OverdueEnds(deps);
  const pass = { ...deps, models, ended: ended.signal };
  for (const driver of deps.drivers) {
    driver.onChange(() => deps.store.notifier.notify(topic.workloads));
  }
  return {
    name: "reconcile",
    shared: false,
    periodMs: 1_000,
    restMs: 20,
    topics: [topic.workloads],
    async run() {
      const each = new Each();
      const workers = await deps.store.read(liveWorkersOn, deps.machine);
      const watchedSince = watch.recordPass();
      const askedAt = deps.clock.now();
      const { observations, unavailable } = await observeAll(deps.drivers);
      // Read after the containers were listed, so that a Pod just started is not taken for a stray.
      const pods = new Set(await deps.store.read(podIdsOn, deps.machine));
      const waiting = workers.some(({ observed, gpus }) => observed === "new" && gpus.length > 0);
      const users = waiting
        ? await gpuUsers(deps.store, deps.machine, busy.now(), observations)
        : [];
      for (const { driver, containers } of observations) {
        const its = workers.filter((worker) => worker.driver === driver.name);
        const reported = containers.filter(({ id }) => !pods.has(id));
        const others = {
          driver,
          containers: await times.correct(driver.name, reported, knownTimes(its), askedAt),
        };
        await reconcile(pass, others, { workers: its, users, each });
      }
      for (const worker of workers) cancelStart(pass, worker);
      for (const worker of workers) await each.try(() => judge(deps, worker, watchedSince));
      for (const worker of workers) await each.try(() => giveUp(deps, worker));
      for (const worker of workers) await each.try(() => endDrain(deps, worker));
      await overdue.report(workers, (worker) =>
        overdueSignalMs(worker, deps.clock.now(), deps.protocol),
      );
      await models.record();
      if (unavailable.length > 0) throw unavailable[0];
      return each.end(null);
    },
    async finish() {
      models.abort();
      await busy.end(new Deadline(deps.clock, END_MS));
      ended.abort();
    },
  };
}

async function reconcile(
  deps: PassDeps,
  { driver, containers: observations }: DriverObservations,
  { workers, users, each }: { workers: LiveWorker[]; users: GpuUser[]; each: Each },
): Promise<void> {
  const desired = workers.map((worker) => ({ ...worker, ...settling(deps, worker) }));
  for (const step of diffWorkers(desired, observations, deps.clock.now())) {
    const worker = workers.find(({ id }) => id === step.id);
    const gpus = worker?.gpus ?? [];
    if (step.do === "start" && gpusInUse({ id: step.id, gpus }, users)) continue;
    // A worker that is being started may not be listed yet, or an earlier try of its start may be.
    if (step.do === "noteEnded" && deps.busy.doing(step.id) === "start") continue;
    await each.try(() => carryOut(deps, driver, step, worker));
  }
}

/** Other replicas may send a request to a worker until they have heard that it is to end. */
function settling({ protocol }: ReconcileDeps, { serving, endAskedAt }: LiveWorker) {
  if (serving === null || endAskedAt === null) return {};
  return { stopFrom: endAskedAt + protocol.requestSettleMs };
}

/** Stops a worker whose end was requested while it is still starting, for example pulling its image. */
function cancelStart({ busy, drivers, protocol, models }: PassDeps, worker: LiveWorker): void {
  if (worker.desired === "run" || busy.doing(worker.id) !== "start") return;
  models.abort(worker.id);
  const driver = drivers.find(({ name }) => name === worker.driver);
  busy.beside(worker.id, async () => driver?.stop(worker.id, protocol.endGraceMs));
}

async function carryOut(
  deps: PassDeps,
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
      return store.notifier.notify(topic.workloads);
    case "start":
      return busy.run(step.id, () => launchWorker(deps, driver, worker!), "start");
    case "stop":
      return busy.run(step.id, () => stop(deps, driver, step.id));
    case "stopStray":
      deps.log.warn(
        { worker: step.id, driver: driver.name },
        "stopping a workload that is not in the store",
      );
      return busy.run(step.id, () => driver.stop(step.id, protocol.endGraceMs));
  }
}

/** Releases the worker's polls first, so that no job reaches it after the signal. */
async function stop(deps: ReconcileDeps, driver: Driver, id: string): Promise<void> {
  const { store, clock, protocol } = deps;
  await store.write(markSignalled, id, clock.now());
  await pause(clock, protocol.endingHoldMs);
  // Nothing waits for a job that had to stop, and a handler that blocks does not see the signal.
  const isStuck = (await store.read(stopsOf, id)).length > 0;
  await driver.stop(id, isStuck ? protocol.stoppedEndGraceMs : protocol.endGraceMs);
}

/** A worker of a driver that is no longer here cannot be stopped; its end is recorded. */
async function giveUp({ store, clock, drivers }: ReconcileDeps, worker: LiveWorker) {
  const leaving = worker.desired === "end" || (worker.desired === "drain" && worker.jobsHeld === 0);
  if (!leaving || drivers.some(({ name }) => name === worker.driver)) return;
  await store.write(markEnded, worker.id, { at: clock.now(), exitCode: null, signal: null });
}

/**
 * Ends a worker that never became ready or fell silent. A silence before `watchedSince` is not the
 * worker's: this replica could not be reached then.
 */
async function judge(
  { store, clock, protocol }: ReconcileDeps,
  worker: LiveWorker,
  watchedSince: number,
) {
  if (worker.observed !== "running" || worker.unhealthy !== null) return;
  const now = clock.now();
  const draining = worker.desired !== "run";
  const startedAt = Math.max(worker.startedAt, watchedSince);
  if (worker.serving !== null) {
    const { readyAt, health } = worker;
    const since = health && { ...health, since: Math.max(health.since, watchedSince) };
    const signs = { startedAt, readyAt, health: since, draining };
    return endIf(store, worker, judgeServing(signs, now, protocol), now);
  }
  const reason = judgeHealth(
    {
      startedAt,
      readyAt: worker.readyAt,
      pingedAt: worker.pingedAt,
      pingVersion: worker.pingVersion,
      seenAt: Math.max(worker.seenAt ?? 0, watchedSince),
      jobsHeld: worker.jobsHeld,
      draining,
    },
    now,
    protocol,
  );
  return endIf(store, worker, reason, now);
}

async function endIf(store: Store, { id }: LiveWorker, reason: string | null, now: number) {
  if (reason === null) return;
  await store.write(markUnhealthy, id, reason);
  await store.write(requestWorkerEnd, id, "end", reason, now);
}

/** Requests in flight, such as open WebSockets, do not keep a worker that is to end without end. */
async function endDrain({ store, clock, protocol }: ReconcileDeps, worker: LiveWorker) {
  const { id, serving, desired, endAskedAt } = worker;
  if (serving === null || desired !== "drain" || endAskedAt === null) return;
  if (clock.now() < endAskedAt + protocol.requestDrainMs) return;
  const reason = `its requests did not end within ${Math.round(protocol.requestDrainMs / 1_000)} s`;
  await store.write(requestWorkerEnd, id, "end", reason, clock.now());
}

/** What the store knows about when workers run, to check what their drivers report. */
const knownTimes =
  (workers: readonly LiveWorker[]) =>
  (id: string): KnownTimes | null => {
    const worker = workers.find((each) => each.id === id);
    if (!worker) return null;
    const { observed, createdAt, startedAt } = worker;
    const requestedAt = observed === "new" ? createdAt : null;
    return { requestedAt, startedAt: startedAt ?? createdAt };
  };

// Makes the observed workers equal to the desired ones, and records what it observes. Each pass lists
// everything that runs, so that after a crash no worker is started twice and none is left behind.

import { type Clock, pause } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Vault } from "../../base/vault.ts";
import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { volumeHomeOf } from "../../domain/machine/volume-home.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { overdueSignalMs } from "../../domain/pod/container/overdue-end.ts";
import { type GpuUser, gpusInUse } from "../../domain/pod/diff.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { judgeServing } from "../../domain/serving/health-check.ts";
import { type Serving, servingEnv } from "../../domain/serving/serving.ts";
import { coldStartContext, coldStartOf } from "../../domain/spans/worker-spans.ts";
import type { TraceContext } from "../../domain/trace/trace-context.ts";
import { diffWorkers, type WorkerStep } from "../../domain/worker/diff.ts";
import { workerEnv } from "../../domain/worker/env.ts";
import { judgeHealth } from "../../domain/worker/health.ts";
import { gpusOf, limitsOf, type Share } from "../../domain/worker/limits.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import {
  type Driver,
  DriverUnavailable,
  type Intercept,
  StartAborted,
  StartRefused,
  type VolumeMount,
} from "../../drivers/driver.ts";
import type { ModelCache } from "../../drivers/models/model-cache.ts";
import type { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import { findEndpointOrDeleted, findRelease } from "../../store/endpoint/endpoint.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { stopsOf } from "../../store/job/stop.ts";
import { podIdsOn } from "../../store/pod/row.ts";
import { liveWorkersOn } from "../../store/worker/worker.ts";
import { findWorkerVolume } from "../../transactions/network-volume/of-worker.ts";
import { assignPorts } from "../../transactions/serving/assign-ports.ts";
import {
  markEnded,
  markSignalled,
  markStarted,
  markUnhealthy,
} from "../../transactions/worker/observe.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import type { Busy } from "../engine/busy-workloads.ts";
import { Watch } from "../engine/connected-since.ts";
import type { Loop } from "../engine/loop.ts";
import { OverdueEnds } from "../engine/overdue-ends.ts";
import { requireExecutable } from "../engine/require-executable.ts";
import { type DriverObservations, gpuUsers, observeAll } from "../machines/observe-machine.ts";
import { ReportedTimes } from "../machines/reported-times.ts";
import { artifactOf } from "./flash-artifact.ts";
import { knownTimes } from "./known-times.ts";
import { MachineModels } from "./provide-models.ts";
import { startRecorder } from "./start-recorder.ts";
import { unseal } from "./unseal.ts";

export interface ReconcileDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  protocol: Protocol;
  /** The machine of these drivers; workers elsewhere belong to other replicas. */
  machine: string;
  inventory: Inventory;
  drivers: Driver[];
  vault: Vault;
  workerSecret: (workerId: string) => string;
  /** The address at which an account's workers reach Freehold. */
  originFor: (driver: string, accountId: string) => Promise<string>;
  /** Leads a workload's requests for hosted addresses to Freehold; absent if that is off. */
  intercept?: Intercept;
  /** The archives of Flash builds. */
  flashArchives?: Pick<SharedArchives, "find">;
  /** Absent if the machine has no model cache. */
  modelCache?: ModelCache;
  /** Commands that run on the machine, for Pods too. */
  busy: Busy;
}

/** How long a stop of the service waits for running commands. */
const END_MS = 3_000;

/** `ended` aborts once nothing may be written. */
type PassDeps = ReconcileDeps & { ended: AbortSignal; models: MachineModels };

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
        await reconcile(pass, others, its, users);
      }
      for (const worker of workers) cancelStart(pass, worker);
      for (const worker of workers) await judge(deps, worker, watchedSince);
      for (const worker of workers) await giveUp(deps, worker);
      for (const worker of workers) await endDrain(deps, worker);
      await overdue.report(workers, (each) =>
        overdueSignalMs(each, deps.clock.now(), deps.protocol),
      );
      await models.record();
      if (unavailable.length > 0) throw unavailable[0];
      return null;
    },
    async finish() {
      models.abort();
      await busy.end(deps.clock, END_MS);
      ended.abort();
    },
  };
}

async function reconcile(
  deps: PassDeps,
  { driver, containers: observations }: DriverObservations,
  workers: LiveWorker[],
  users: GpuUser[],
): Promise<void> {
  const desired = workers.map((worker) => ({ ...worker, ...settling(deps, worker) }));
  for (const step of diffWorkers(desired, observations, deps.clock.now())) {
    const worker = workers.find(({ id }) => id === step.id);
    const gpus = worker?.gpus ?? [];
    if (step.do === "start" && gpusInUse({ id: step.id, gpus }, users)) continue;
    // A worker that is being started may not be listed yet, or an earlier try of its start may be.
    if (step.do === "noteEnded" && deps.busy.doing(step.id) === "start") continue;
    await carryOut(deps, driver, step, worker);
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
      return busy.run(step.id, () => start(deps, driver, worker!), "start");
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

function shareOf(worker: LiveWorker, { containerDiskInGb = 0 }: ReleaseWorkload): Share {
  const { gpuTypeId, vcpus, memoryMb } = worker;
  return { gpuTypeId, vcpus, memoryMb, diskGb: containerDiskInGb };
}

async function start(deps: PassDeps, driver: Driver, worker: LiveWorker): Promise<void> {
  const { store, log, protocol } = deps;
  try {
    const release = await store.read(findRelease, worker.endpointId, worker.version);
    const endpoint = await store.read(findEndpointOrDeleted, worker.endpointId);
    if (!release || !endpoint) return;
    const { workload } = release;
    const { accountId: account } = endpoint;
    const { report, record } = startRecorder(deps, worker.id);
    record("launched");
    const volume = await volumeOf(deps, driver, workload);
    const unsealed = await unseal(deps, { accountId: account, ...workload });
    const { auth } = unsealed;
    const starting = { worker, driver, workload, env: unsealed.env, report };
    const { folders, ...models } = await deps.models.provide(starting);
    if (workload.modelReferences?.length) record("models_ready");
    const own = { ...unsealed.env, ...models.env };
    const key = deps.workerSecret(worker.id);
    const serving = await servingAt(deps, driver, worker);
    const env = workerEnv(
      {
        workerId: worker.id,
        endpointId: endpoint.id,
        key,
        origin: await deps.originFor(driver.name, endpoint.accountId),
        pingIntervalMs: protocol.pingIntervalMs,
        gpuTypeId: worker.gpuTypeId,
        virtualGpu: worker.virtual,
        skipSystemChecks: driver.name !== "docker",
        volumeId: volume?.id ?? null,
        trace: coldStartTrace(store, worker.id),
      },
      { ...own, ...(serving && servingEnv(serving)) },
    );
    const { image, entrypoint, command } = workload;
    const volumes = mountsOf(volume);
    const artifact = await artifactOf(deps, driver, workload);
    const limits = limitsOf(shareOf(worker, workload), deps.inventory);
    const resources = { ...limits, ...gpusOf(worker) };
    const ports = serving ? [...new Set([serving.port, serving.healthPort])] : [];
    const reachable = driver.freePort ? { givenPorts: ports } : { httpPorts: ports };
    const workloadSpec = { id: worker.id, image, entrypoint, command, account, ...reachable };
    const secrets = [...unsealed.secrets, key];
    const withArtifact = { ...workloadSpec, ...artifact, env: { ...env, ...artifact.env } };
    const requested = {
      ...{ ...withArtifact, ...(auth && { auth }), secrets, resources, volumes },
      ...(folders && { folders }),
    };
    const complete = (await deps.intercept?.(driver.name, requested)) ?? requested;
    requireExecutable(complete);
    await driver.start(complete, report);
    if (!deps.ended.aborted) await store.write(markStarted, worker.id, deps.clock.now());
  } catch (error) {
    // A pull may outlast the service; the next start of the service begins it again.
    if (deps.ended.aborted) return;
    // An unavailable driver says nothing about the worker.
    if (error instanceof DriverUnavailable) throw error;
    // The start was aborted; the next pass observes the end.
    if (error instanceof StartAborted) return;
    log.error({ err: error, worker: worker.id }, "worker could not be started");
    const reason = error instanceof StartRefused ? error.message : "it could not be started";
    await store.write(markUnhealthy, worker.id, reason);
    const cause = error instanceof StartRefused ? error.why : null;
    const end = { at: deps.clock.now(), exitCode: null, signal: null, cause };
    await store.write(markEnded, worker.id, end);
  }
}

/** What the worker's own start-up spans belong to. */
function coldStartTrace({ notifier: { tracer } }: Store, id: string): TraceContext | null {
  return tracer && coldStartContext(id, tracer.samples(coldStartOf(id).traceId));
}

/** Where the worker serves. Workloads that share the machine's ports get one of their own. */
async function servingAt(
  { store }: PassDeps,
  driver: Driver,
  { id, serving }: LiveWorker,
): Promise<Serving | null> {
  if (serving === null || !driver.freePort) return serving;
  const port = await driver.freePort();
  const isSame = serving.healthPort === serving.port;
  const own = { ...serving, port, healthPort: isSame ? port : await driver.freePort() };
  await store.write(assignPorts, id, own);
  return own;
}

/** The endpoint's network volume on this machine; null where the endpoint has none. */
async function volumeOf(
  { store, machine, inventory }: ReconcileDeps,
  { name }: Driver,
  { networkVolumeIds }: ReleaseWorkload,
): Promise<NetworkVolume | null> {
  if (networkVolumeIds.length === 0) return null;
  const home = volumeHomeOf({ machine, drivers: [name], inventory });
  const volume = home && (await store.read(findWorkerVolume, networkVolumeIds, home));
  if (volume) return volume;
  throw new StartRefused("none of its endpoint's network volumes is on this machine");
}

/** Worker images expect the volume at this path. */
function mountsOf(volume: NetworkVolume | null): VolumeMount[] {
  if (volume === null) return [];
  const { id, size } = volume;
  return [{ kind: "network", name: id, mountPath: "/runpod-volume", sizeGb: size }];
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

// Starts the workload of a worker on this machine, with all that its release names: secrets, models, a volume, ports and
// GPUs.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Vault } from "../../base/vault.ts";
import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { volumeHomeOf } from "../../domain/machine/volume-home.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { type Serving, servingEnv } from "../../domain/serving/serving.ts";
import { coldStartContext, coldStartOf } from "../../domain/spans/worker-spans.ts";
import type { TraceContext } from "../../domain/trace/trace-context.ts";
import { workerEnv } from "../../domain/worker/env.ts";
import { limitsOf, type Share } from "../../domain/worker/limits.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import {
  type ContainerFile,
  type Driver,
  DriverUnavailable,
  type Intercept,
  StartAborted,
  StartRefused,
  type VolumeMount,
} from "../../drivers/driver.ts";
import type { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import { findEndpointOrDeleted, findRelease } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import { findWorkerVolume } from "../../transactions/network-volume/of-worker.ts";
import { assignPorts } from "../../transactions/serving/assign-ports.ts";
import { markEnded, markStarted, markUnhealthy } from "../../transactions/worker/observe.ts";
import { assignedGpus } from "../engine/assigned-gpus.ts";
import { requireExecutable } from "../engine/require-executable.ts";
import type { MachineModels } from "./provide-models.ts";
import { startRecorder } from "./start-recorder.ts";
import { unseal } from "./unseal.ts";

export interface LaunchDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  protocol: Protocol;
  /** The machine of the drivers; workers elsewhere belong to other replicas. */
  machine: string;
  inventory: Inventory;
  vault: Vault;
  workerSecret: (workerId: string) => string;
  /** The address at which an account's workers reach Freehold. */
  originFor: (driver: string, accountId: string) => Promise<string>;
  /** Leads a workload's requests for hosted addresses to Freehold; absent if that is off. */
  intercept?: Intercept;
  /** The archives of Flash builds. */
  flashArchives?: Pick<SharedArchives, "find">;
  models: MachineModels;
  /** Aborts once nothing may be written. */
  ended: AbortSignal;
}

/** Records a start that fails as the worker's end. */
export async function launchWorker(
  deps: LaunchDeps,
  driver: Driver,
  worker: LiveWorker,
): Promise<void> {
  const { store, protocol } = deps;
  try {
    const release = await store.read(findRelease, worker.endpointId, worker.version);
    const endpoint = await store.read(findEndpointOrDeleted, worker.endpointId);
    if (!release || !endpoint) return;
    const { workload } = release;
    const { accountId: account, owner } = endpoint;
    const { report, record } = startRecorder(deps, worker.id);
    record("launched");
    const volume = await volumeOf(deps, driver, workload);
    const holder = { accountId: account, ownerId: owner?.id ?? null };
    const unsealed = await unseal(deps, { ...workload, ...holder });
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
        simulatedGpu: worker.virtual,
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
    const resources = { ...limits, ...assignedGpus(worker, deps.inventory) };
    const ports = serving ? [...new Set([serving.port, serving.healthPort])] : [];
    const reachable = driver.freePort ? { givenPorts: ports } : { httpPorts: ports };
    const workloadSpec = { id: worker.id, image, entrypoint, command, account, ...reachable };
    const secrets = [...unsealed.secrets, key];
    const withArtifact = { ...workloadSpec, ...artifact, env: { ...env, ...artifact.env } };
    const requested = {
      ...withArtifact,
      ...(auth && { auth }),
      secrets,
      resources,
      volumes,
      ...(folders && { folders }),
    };
    const complete = (await deps.intercept?.(driver.name, requested)) ?? requested;
    requireExecutable(complete);
    await driver.start(complete, report);
    if (!deps.ended.aborted) await store.write(markStarted, worker.id, deps.clock.now());
  } catch (error) {
    await recordFailedStart(deps, worker, error);
  }
}

async function recordFailedStart(
  { store, clock, log, ended }: LaunchDeps,
  { id }: LiveWorker,
  error: unknown,
): Promise<void> {
  // A pull may outlast the service; the next start of the service begins it again.
  if (ended.aborted) return;
  // An unavailable driver says nothing about the worker.
  if (error instanceof DriverUnavailable) throw error;
  // The start was aborted; the next pass observes the end.
  if (error instanceof StartAborted) return;
  log.error({ err: error, worker: id }, "worker could not be started");
  const reason = error instanceof StartRefused ? error.message : "it could not be started";
  await store.write(markUnhealthy, id, reason);
  const cause = error instanceof StartRefused ? error.why : null;
  await store.write(markEnded, id, { at: clock.now(), exitCode: null, signal: null, cause });
}

function shareOf(worker: LiveWorker, { containerDiskInGb = 0 }: ReleaseWorkload): Share {
  const { gpuTypeId, vcpus, memoryMb } = worker;
  return { gpuTypeId, vcpus, memoryMb, diskGb: containerDiskInGb };
}

/** What the worker's own start-up spans belong to. */
function coldStartTrace({ notifier: { tracer } }: Store, id: string): TraceContext | null {
  return tracer && coldStartContext(id, tracer.samples(coldStartOf(id).traceId));
}

/** Where the worker serves. Workloads that share the machine's ports get one of their own. */
async function servingAt(
  { store }: LaunchDeps,
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
  { store, machine, inventory }: LaunchDeps,
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

/** The Flash worker unpacks its build from this path. */
const ARTIFACT_PATH = "/root/.runpod/artifact.tar.gz";

/** What brings the archive of its Flash build to a worker: a file in its container, or a variable for a process. */
async function artifactOf(
  { flashArchives }: { flashArchives?: Pick<SharedArchives, "find"> },
  driver: Driver,
  { flashBuildId }: ReleaseWorkload,
): Promise<{ env?: Record<string, string>; files?: ContainerFile[] }> {
  if (flashBuildId === undefined) return {};
  const archive = await flashArchives?.find(flashBuildId);
  if (!archive) {
    throw new StartRefused(
      `no replica that answers has the archive of Flash build ${flashBuildId}; deploy again`,
    );
  }
  const { path: file, size } = archive;
  if (driver.name === "docker") {
    return { files: [{ path: ARTIFACT_PATH, content: { file, size } }] };
  }
  if (driver.name !== "kubernetes") return { env: { FLASH_BUILD_ARTIFACT_PATH: file } };
  throw new StartRefused("workers of Flash builds cannot run on Kubernetes yet");
}

// The workers and the releases of an endpoint as clients of REST v2 read them.

import { isDeepStrictEqual } from "node:util";
import type { Release, Worker } from "../../../contract/rest-v2/endpoint/fleet.ts";
import type {
  Release as DomainRelease,
  ReleaseWorkload,
} from "../../../domain/endpoint/release.ts";
import { type WorkerPhase, workerPhase } from "../../../domain/worker/phase.ts";
import type { EndpointView, WorkerView } from "../../../flows/endpoint/read.ts";
import { instant } from "../../management/serve/instant.ts";

/** A worker that drains still runs its jobs; it is stale or about to end. */
const statuses: Record<WorkerPhase, Worker["status"]> = {
  starting: "INITIALIZING",
  idle: "IDLE",
  busy: "RUNNING",
  draining: "RUNNING",
  unhealthy: "UNHEALTHY",
  ended: "UNHEALTHY",
};

export function workerListRead({ endpoint, workers }: EndpointView, now: number) {
  const all = (workers ?? []).map((each) => workerRead(each, endpoint.version, now));
  const count = (status: Worker["status"]) => all.filter((each) => each.status === status).length;
  return {
    workers: all,
    summary: {
      running: count("RUNNING"),
      idle: count("IDLE"),
      initializing: count("INITIALIZING"),
      throttled: count("THROTTLED"),
      unhealthy: count("UNHEALTHY"),
      total: all.length,
    },
    endpointVersion: endpoint.version,
  };
}

function workerRead({ worker, release, machine }: WorkerView, latest: number, now: number): Worker {
  const { id, version, gpus, gpuTypeId, startedAt } = worker;
  return {
    id,
    status: statuses[workerPhase(worker)],
    isStale: version !== latest,
    version,
    gpuCount: gpus.length,
    image: release?.workload.image ?? null,
    uptimeSeconds: startedAt === null ? null : Math.max(0, Math.floor((now - startedAt) / 1_000)),
    gpuTypeId,
    dataCenterId: machine?.inventory.dataCenterId ?? null,
    startedAt: startedAt === null ? null : instant(startedAt),
  };
}

export function rolloutOf({ endpoint, workers }: EndpointView) {
  const all = workers ?? [];
  const latest = all.filter(({ worker }) => worker.version === endpoint.version).length;
  return {
    inProgress: latest < all.length,
    workersOnLatest: latest,
    workersTotal: all.length,
    percentOnLatest: all.length === 0 ? 100 : Math.floor((latest / all.length) * 100),
  };
}

/** `before` is the release before; undefined for the first. */
export function releaseRead(
  release: DomainRelease,
  before: DomainRelease | undefined,
  { workers }: EndpointView,
): Release {
  const { endpointId, version, workload, createdAt } = release;
  return {
    id: `${endpointId}-${version}`,
    version,
    source: "MANUAL",
    buildId: null,
    createdByUserId: null,
    workerCount: (workers ?? []).filter(({ worker }) => worker.version === version).length,
    createdAt: instant(createdAt),
    diff: before ? differences(before.workload, workload) : [],
  };
}

const fieldNames: Record<keyof ReleaseWorkload, string> = {
  driver: "template.driver",
  image: "template.imageName",
  entrypoint: "template.dockerEntrypoint",
  command: "template.dockerStartCmd",
  env: "template.env",
  containerRegistryAuthId: "template.containerRegistryAuthId",
  containerDiskInGb: "template.containerDiskInGb",
  networkVolumeIds: "networkVolumeIds",
  modelReferences: "modelReferences",
  flashBuildId: "flashBuildId",
};

function differences(old: ReleaseWorkload, now: ReleaseWorkload): Release["diff"] {
  const names = Object.keys(fieldNames) as (keyof ReleaseWorkload)[];
  return names
    .filter((name) => !isDeepStrictEqual(old[name], now[name]))
    .map((name) => ({ field: fieldNames[name], old: old[name] ?? null, new: now[name] ?? null }));
}

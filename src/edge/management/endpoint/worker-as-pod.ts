// A worker as clients read it: a Pod that names its endpoint. Unknown fields are left out.

import { MB_PER_GB } from "../../../base/units.ts";
import type { Pod } from "../../../contract/rest-v1/pod/pod.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { workerSize } from "../../../domain/worker/limits.ts";
import { type WorkerPhase, workerPhase } from "../../../domain/worker/phase.ts";
import { flavorOf } from "../../../domain/worker/placement-request.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import type { EndpointView, WorkerView } from "../../../flows/endpoint/read.ts";
import { workerUptime } from "../../../flows/pod/runtime.ts";
import { dollars } from "../billing/dollars.ts";
import { freeGpus, gpuRead, machineRead, type RentedPart } from "../pod/machine-view.ts";
import { instant } from "../serve/instant.ts";
import { labelsRead } from "../serve/labels.ts";

export function workerAsPod(
  catalog: Catalog,
  view: WorkerView,
  { endpoint, template }: EndpointView,
  { now, capacity }: { now: number; capacity?: Capacity | null },
): Pod {
  const { worker, release, machine } = view;
  const image = release?.workload.image ?? template.spec.imageName;
  const { startedAt } = worker;
  const part = workerPart(catalog, view, endpoint.spec);
  const gpu = gpuRead(catalog, worker, worker.gpus.length);
  const { vcpus, memoryMb } = workerSize(worker, machine?.inventory);
  const uptimeSeconds = workerUptime(worker, now);
  const phase = workerPhase(worker);
  return {
    id: worker.id,
    name: `${endpoint.name} ${worker.id}`,
    desiredStatus: worker.desired === "end" ? "EXITED" : "RUNNING",
    status: statuses[phase],
    ...(phase === "unhealthy" && { failure: { code: phase } }),
    image,
    imageName: image,
    endpointId: endpoint.id,
    aiApiId: endpoint.id,
    slsVersion: worker.version,
    ...(worker.driver === "simulated" && { simulated: true }),
    templateId: endpoint.templateId,
    consumerUserId: endpoint.accountId,
    machineId: worker.machine,
    env: release?.workload.env ?? {},
    containerDiskInGb: template.spec.containerDiskInGb,
    volumeInGb: template.spec.volumeInGb,
    volumeMountPath: template.spec.volumeMountPath,
    ...(worker.gpuTypeId !== null && { gpuTypeId: worker.gpuTypeId }),
    ...(gpu && { gpu }),
    gpuCount: worker.gpus.length,
    ...(part.cpuFlavorId !== null && { cpuFlavorId: part.cpuFlavorId }),
    vcpuCount: vcpus,
    memoryInGb: Math.floor(memoryMb / MB_PER_GB),
    ports: template.spec.ports,
    portMappings: {},
    publicIp: null,
    costPerHr: dollars(worker.rate),
    // Savings plans cover Pods only.
    adjustedCostPerHr: dollars(worker.rate),
    interruptible: false,
    locked: false,
    volumeEncrypted: false,
    createdAt: instant(worker.createdAt),
    ...labelsRead(endpoint),
    ...(startedAt !== null && { lastStartedAt: instant(startedAt) }),
    lastStatusChange: lastChange({ worker }),
    ...(uptimeSeconds !== null && { runtime: { uptimeSeconds } }),
    ...(capacity && {
      machine: machineRead(catalog, part, machine, freeGpus(capacity, part)),
    }),
  };
}

const statuses: Record<WorkerPhase, Pod["status"]> = {
  starting: "STARTING",
  idle: "RUNNING",
  busy: "RUNNING",
  draining: "RUNNING",
  unhealthy: "ERROR",
  ended: "EXITED",
};

export function workerPart(
  catalog: Catalog,
  { worker }: WorkerView,
  spec: EndpointView["endpoint"]["spec"],
): RentedPart {
  const { machine, gpuTypeId, gpus, virtual, rate, vcpus } = worker;
  const hasFlavor = spec.computeType === "CPU" && vcpus > 0;
  return {
    machine,
    gpuTypeId,
    virtual,
    gpuCount: gpus.length,
    cpuFlavorId: (hasFlavor && flavorOf(catalog, spec)?.id) || null,
    cost: rate,
    secure: true,
    dataCenterIds: spec.dataCenterIds,
  };
}

/** "idle since 2025-01-01T00:00:00.000Z" */
function lastChange({ worker }: Pick<WorkerView, "worker">): string {
  const phase = workerPhase(worker);
  const { createdAt, startedAt, readyAt, freedAt } = worker;
  if (phase === "draining") return `${phase}: ${worker.desiredReason ?? "its end was requested"}`;
  if (phase === "unhealthy") return `${phase}: ${worker.unhealthy}`;
  const at = phase === "starting" ? (startedAt ?? createdAt) : (freedAt ?? readyAt ?? createdAt);
  return `${phase} since ${instant(at)}`;
}

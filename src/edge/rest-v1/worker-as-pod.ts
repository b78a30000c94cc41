// A worker as clients read it: a Pod that names its endpoint. What is not known is left out.

import type { Pod } from "../../contract/rest-v1/pod.ts";
import { workerPhase } from "../../domain/worker/phase.ts";
import type { EndpointView, WorkerView } from "../../flows/endpoint/read.ts";
import { instant } from "./instant.ts";

export function workerAsPod(
  { worker, release }: WorkerView,
  { endpoint, template }: EndpointView,
): Pod {
  const image = release?.workload.image ?? template.spec.imageName;
  const startedAt = worker.started_at;
  return {
    id: worker.id,
    name: `${endpoint.name} ${worker.id}`,
    desiredStatus: worker.desired === "end" ? "EXITED" : "RUNNING",
    image,
    imageName: image,
    endpointId: endpoint.id,
    aiApiId: endpoint.id,
    slsVersion: worker.version,
    templateId: endpoint.templateId,
    consumerUserId: endpoint.accountId,
    machineId: worker.machine,
    env: release?.workload.env ?? {},
    containerDiskInGb: template.spec.containerDiskInGb,
    volumeInGb: template.spec.volumeInGb,
    volumeMountPath: template.spec.volumeMountPath,
    gpuCount: endpoint.spec.computeType === "GPU" ? endpoint.spec.gpuCount : 0,
    ports: template.spec.ports,
    portMappings: {},
    publicIp: null,
    costPerHr: 0,
    adjustedCostPerHr: 0,
    interruptible: false,
    locked: false,
    volumeEncrypted: false,
    createdAt: instant(worker.created_at),
    ...(startedAt !== null && { lastStartedAt: instant(startedAt) }),
    lastStatusChange: lastChange({ worker }),
  };
}

/** "idle since 2025-01-01T00:00:00.000Z" */
function lastChange({ worker }: Pick<WorkerView, "worker">): string {
  const phase = workerPhase(worker);
  const { created_at: made, started_at: started, ready_at: ready, freed_at: freed } = worker;
  if (phase === "draining") return `${phase}: ${worker.desired_reason ?? "it was told to end"}`;
  if (phase === "unhealthy") return `${phase}: ${worker.unhealthy}`;
  const at = phase === "starting" ? (started ?? made) : (freed ?? ready ?? made);
  return `${phase} since ${instant(at)}`;
}

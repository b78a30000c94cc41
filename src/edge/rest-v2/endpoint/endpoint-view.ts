// An endpoint as clients of REST v2 read it.

import {
  type Endpoint,
  endpoint as endpointSchema,
} from "../../../contract/rest-v2/endpoint/endpoint.ts";
import { type Catalog, workerFlavors } from "../../../domain/catalog/catalog.ts";
import { cpuMemoryGb } from "../../../domain/catalog/cpu-instance.ts";
import { gpuIdsOf, poolsOf } from "../../../domain/catalog/gpu-ids.ts";
import type { EndpointSpec } from "../../../domain/endpoint/endpoint.ts";
import type { EndpointView } from "../../../flows/endpoint/read.ts";
import { instant } from "../../management/serve/instant.ts";
import { labelsRead } from "../../management/serve/labels.ts";
import { shownFields } from "../../management/serve/take-fields.ts";
import { containerRead } from "../container.ts";

/** The addresses at which the client reaches the service, and its load-balancing endpoints. */
export interface ClientOrigin {
  origin: string;
  balancerUrl(endpointId: string): string;
}

export function endpointRead(
  catalog: Catalog,
  { endpoint, template }: EndpointView,
  { origin, balancerUrl }: ClientOrigin,
): Endpoint {
  const { id, name, spec } = endpoint;
  const { type, flashboot, ...plain } = spec;
  const isQueue = type === "QB";
  const queueUrl = `${origin}/v2/${id}`;
  const byDelay = spec.scalerType === "QUEUE_DELAY";
  return {
    id,
    name,
    type: isQueue ? "QUEUE" : "LOAD_BALANCER",
    ...containerRead(template.spec),
    requestUrls: isQueue
      ? queueUrls(queueUrl)
      : { base: balancerUrl(id), health: `${queueUrl}/health` },
    ...(spec.computeType === "CPU"
      ? { cpu: cpuRead(catalog, spec) }
      : { gpu: gpuRead(catalog, spec) }),
    workers: {
      min: spec.workersMin,
      max: spec.workersMax,
      ...((byDelay || !isQueue) && { idleTimeout: spec.idleTimeout }),
    },
    scaling: byDelay
      ? { type: "QUEUE_DELAY", queueDelay: spec.scalerValue }
      : { type: "REQUEST_COUNT", requestCount: spec.scalerValue },
    timeout: spec.executionTimeoutMs,
    flashboot: flashboot ? "FLASHBOOT" : "OFF",
    ...shownFields(plain, endpointSchema.properties),
    networkVolumes: spec.networkVolumeIds,
    createdAt: instant(endpoint.createdAt),
    ...(endpoint.owner && { createdBy: endpoint.owner }),
    ...labelsRead(endpoint),
  };
}

function queueUrls(base: string): Endpoint["requestUrls"] {
  return {
    run: `${base}/run`,
    runSync: `${base}/runsync`,
    status: `${base}/status/{job_id}`,
    stream: `${base}/stream/{job_id}`,
    cancel: `${base}/cancel/{job_id}`,
    retry: `${base}/retry/{job_id}`,
    purgeQueue: `${base}/purge-queue`,
    health: `${base}/health`,
  };
}

/** An endpoint without types takes any, which is every pool. */
function gpuRead(catalog: Catalog, spec: EndpointSpec): Endpoint["gpu"] {
  const parts = gpuIdsOf(catalog, spec.gpuTypeIds).split(",").filter(Boolean);
  const pools = parts.filter((part) => !part.startsWith("-"));
  return {
    pools: parts.length > 0 ? pools : poolsOf(catalog).map(({ id }) => id),
    excludedTypes: parts.filter((part) => part.startsWith("-")).map((part) => part.slice(1)),
    count: spec.gpuCount,
    allowedCudaVersions: spec.allowedCudaVersions,
    minCudaVersion: spec.minCudaVersion,
  };
}

function cpuRead(catalog: Catalog, spec: EndpointSpec): Endpoint["cpu"] {
  const { cpuFlavorIds, vcpuCount } = spec;
  const flavors =
    cpuFlavorIds.length > 0
      ? cpuFlavorIds.flatMap((id) => catalog.cpuFlavors.filter((flavor) => flavor.id === id))
      : workerFlavors(catalog);
  return flavors.map((flavor) => {
    return { id: flavor.id, vcpuCount, memory: cpuMemoryGb(flavor, vcpuCount) };
  });
}

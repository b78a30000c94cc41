// The body of a new or changed endpoint of REST v2 as a request to the flows.

import { containerRequestFields } from "../../../contract/rest-v2/container.ts";
import type { EndpointCreate, EndpointPatch } from "../../../contract/rest-v2/endpoint/endpoint.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { gpuTypesIn } from "../../../domain/catalog/gpu-ids.ts";
import {
  type EndpointSpec,
  type EndpointType,
  endpointDefaults,
} from "../../../domain/endpoint/endpoint.ts";
import type { EndpointRequest } from "../../../domain/endpoint/endpoint-request.ts";
import { keepAny, keepGpuOrder } from "../../../domain/endpoint/write-back/keep.ts";
import { Fault } from "../../../domain/fault.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { invalidFields } from "../serve/invalid-fields.ts";

type Changeable = Omit<EndpointPatch, "gpu"> &
  Omit<EndpointCreate, keyof EndpointPatch | "type"> & {
    gpu?: EndpointPatch["gpu"] | EndpointCreate["gpu"];
  };

const defaults: Partial<EndpointSpec> = {
  executionTimeoutMs: 300_000,
  idleTimeout: 10,
  flashboot: false,
};

const refuse = (detail: string): never => {
  throw new Fault("invalid_body", { detail });
};
const refuseOffer = (detail: string): never => {
  throw new Fault("not_offered", { detail });
};

export function newEndpointFrom(
  catalog: Catalog,
  { type: requestedType, ...body }: EndpointCreate,
): EndpointRequest {
  const type = requestedType === "LOAD_BALANCER" ? "LB" : "QB";
  refuseDelayOf(type, body.scaling);
  if ((body.gpu === undefined) === (body.cpu === undefined)) {
    refuse('Send exactly one of "gpu" and "cpu".');
  }
  const computeType = body.cpu ? "CPU" : "GPU";
  return { ...defaults, type, computeType, ...settingsIn(catalog, body, body.scaling.type, type) };
}

export function endpointChangesFrom(
  catalog: Catalog,
  body: EndpointPatch,
  before: EndpointSpec,
): EndpointRequest {
  const { type, computeType, scalerType } = before;
  if (body.gpu && (body.cpu || computeType === "CPU")) {
    refuse('"gpu" cannot be set: this endpoint runs on CPUs, or "cpu" is set too.');
  }
  if (body.cpu && computeType === "GPU") {
    refuse('"cpu" cannot be set: this endpoint runs on GPUs.');
  }
  if (body.gpu?.excludedTypes && !body.gpu.pools) {
    const complaint = 'needs "gpu.pools", which it excludes types of';
    throw invalidFields([{ path: "gpu.excludedTypes", complaint }]);
  }
  refuseDelayOf(type, body.scaling);
  const request = settingsIn(catalog, body, body.scaling?.type ?? scalerType, type);
  return keepAny(catalog, keepGpuOrder(catalog, request, before), before);
}

/** A load-balancing endpoint has no queue whose delay could be measured. */
function refuseDelayOf(type: EndpointType, scaling: EndpointPatch["scaling"]): void {
  if (type !== "LB" || scaling?.type !== "QUEUE_DELAY") return;
  const complaint = 'must be "REQUEST_COUNT" for a load-balancing endpoint, which has no queue';
  throw invalidFields([{ path: "scaling.type", complaint }]);
}

function settingsIn(
  catalog: Catalog,
  body: Changeable,
  scalerType: EndpointSpec["scalerType"],
  type: EndpointType,
): EndpointRequest {
  const { workers = {}, scaling, timeout, flashboot, gpu, cpu, networkVolumes, ...others } = body;
  const [, plain] = takeFields(others, { ...containerRequestFields, templateId: true });
  const [settings, rest] = takeFields(plain, { ...endpointDefaults, name: true, labels: true });
  rest satisfies Record<string, never>;
  if (flashboot === "PRIORITY_FLASHBOOT") {
    refuseOffer('PRIORITY_FLASHBOOT is not offered; "flashboot" can be OFF or FLASHBOOT.');
  }
  const { min, max, idleTimeout } = workers;
  if (type === "QB" && scalerType === "REQUEST_COUNT" && idleTimeout !== undefined) {
    const complaint = 'is for scaling by QUEUE_DELAY; leave it out with "REQUEST_COUNT"';
    throw invalidFields([{ path: "workers.idleTimeout", complaint }]);
  }
  return {
    ...settings,
    ...gpuSettings(catalog, gpu),
    ...cpuSettings(cpu),
    ...scalerSettings(scaling),
    ...(min !== undefined && { workersMin: min }),
    ...(max !== undefined && { workersMax: max }),
    ...(idleTimeout !== undefined && { idleTimeout }),
    ...(timeout !== undefined && { executionTimeoutMs: timeout }),
    ...(flashboot !== undefined && { flashboot: flashboot !== "OFF" }),
    ...(networkVolumes !== undefined && { networkVolumeIds: networkVolumes }),
  };
}

function scalerSettings(scaling: EndpointPatch["scaling"]): EndpointRequest {
  if (scaling === undefined) return {};
  const { type: scalerType } = scaling;
  const scalerValue = scaling.type === "QUEUE_DELAY" ? scaling.queueDelay : scaling.requestCount;
  return { scalerType, scalerValue };
}

function gpuSettings(catalog: Catalog, gpu: Changeable["gpu"]): EndpointRequest {
  if (gpu === undefined) return {};
  const { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion } = gpu;
  return {
    ...(pools && { gpuTypeIds: typesIn(catalog, pools, excludedTypes ?? []) }),
    ...(count !== undefined && { gpuCount: count }),
    ...(allowedCudaVersions !== undefined && { allowedCudaVersions }),
    ...(minCudaVersion !== undefined && { minCudaVersion: minCudaVersion || null }),
  };
}

function typesIn(catalog: Catalog, pools: string[], excluded: string[]): string[] {
  const all = gpuTypesIn(catalog, pools.join(","));
  const types = excluded.map((each) => each.trim());
  const foreign = types.find((type) => !all.includes(type));
  if (foreign) refuse(`"gpu.excludedTypes" has "${foreign}", which is in none of these pools.`);
  const left = all.filter((type) => !types.includes(type));
  if (left.length === 0) refuse('"gpu.excludedTypes" leaves no GPU type of these pools.');
  return left;
}

function cpuSettings(cpu: Changeable["cpu"]): EndpointRequest {
  if (cpu === undefined) return {};
  const [first] = cpu;
  if (cpu.some(({ vcpuCount }) => vcpuCount !== first!.vcpuCount)) {
    refuseOffer('Flavors of different sizes are not offered; "cpu" takes one "vcpuCount" for all.');
  }
  return { cpuFlavorIds: cpu.map(({ id }) => id), vcpuCount: first!.vcpuCount };
}

// A worker as GraphQL clients read it: a Pod of its endpoint.

import type { EndpointView, WorkerView } from "../../flows/endpoint/read.ts";
import { workerAsPod } from "../rest-v1/worker-as-pod.ts";

export function graphqlWorker(worker: WorkerView, view: EndpointView) {
  const { endpointId: _, ...rest } = workerAsPod(worker, view);
  return {
    ...rest,
    env: Object.entries(rest.env).map(([name, value]) => `${name}=${value}`),
    ports: rest.ports.join(","),
    vcpuCount: rest.vcpuCount ?? 0,
    memoryInGb: rest.memoryInGb ?? 0,
    podType: "RESERVED",
    gpus: [],
    gpuPowerLimitPercent: 100,
    machine: {
      id: rest.machineId,
      podHostId: null,
      gpuTypeId: "unknown",
      gpuDisplayName: "unknown",
      location: "unknown",
      machineSystem: { cudaVersion: "unknown", kernelVersion: "unknown" },
    },
    runtime: null,
  };
}

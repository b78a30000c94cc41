// An endpoint as clients read it: also in the older forms that some of them look for.

import type { Endpoint } from "../../contract/rest-v1/endpoint.ts";
import { type Catalog, cpuInstanceId, idsOf } from "../../domain/catalog/catalog.ts";
import { gpuIdsOf } from "../../domain/catalog/gpu-ids.ts";
import type { EndpointView } from "../../flows/endpoint/read.ts";
import { instant } from "./instant.ts";
import { templateRead } from "./template-read.ts";
import { workerAsPod } from "./worker-as-pod.ts";

export function endpointRead(
  { catalog }: { catalog: Catalog },
  view: EndpointView,
  withTemplate: boolean,
): Endpoint {
  const { endpoint, template, workers } = view;
  const { cpuFlavorIds, vcpuCount, minCudaVersion, ...spec } = endpoint.spec;
  const [networkVolumeId] = spec.networkVolumeIds;
  const onCpu = spec.computeType === "CPU";
  return {
    id: endpoint.id,
    name: endpoint.name,
    userId: endpoint.accountId,
    templateId: endpoint.templateId,
    version: endpoint.version,
    createdAt: instant(endpoint.createdAt),
    ...spec,
    dataCenterIds: spec.dataCenterIds.length > 0 ? spec.dataCenterIds : idsOf(catalog.dataCenters),
    ...(minCudaVersion !== null && { minCudaVersion }),
    ...(networkVolumeId !== undefined && { networkVolumeId }),
    flashBootType: spec.flashboot ? "FLASHBOOT" : "OFF",
    gpuIds: gpuIdsOf(catalog, spec.gpuTypeIds),
    locations: spec.dataCenterIds.join(","),
    instanceIds: onCpu ? cpuFlavorIds.map((id) => cpuInstanceId(catalog, id, vcpuCount)) : [],
    modelReferences: [],
    env: template.spec.env,
    ...(withTemplate && { template: templateRead(template) }),
    ...(workers && { workers: workers.map((worker) => workerAsPod(worker, view)) }),
  };
}

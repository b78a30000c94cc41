// An endpoint in the format of the management API, with the older fields that some clients read.

import type { Clock } from "../../../base/clock.ts";
import type { Endpoint } from "../../../contract/rest-v1/endpoint/endpoint.ts";
import { type Catalog, idsOf, workerFlavors } from "../../../domain/catalog/catalog.ts";
import { cpuInstanceId } from "../../../domain/catalog/cpu-instance.ts";
import { gpuIdsOf } from "../../../domain/catalog/gpu-ids.ts";
import type { EndpointSpec } from "../../../domain/endpoint/endpoint.ts";
import { wholeScalerValue } from "../../../domain/endpoint/write-back/keep.ts";
import type { EndpointView } from "../../../flows/endpoint/read.ts";
import { instant } from "../serve/instant.ts";
import { labelsRead } from "../serve/labels.ts";
import { templateRead } from "../template/template-view.ts";
import { workerAsPod } from "./worker-as-pod.ts";

export interface EndpointViewDeps {
  catalog: Catalog;
  clock: Clock;
}

interface ReadOptions {
  withTemplate: boolean;
  /** The address of a load-balancing endpoint; absent where it is not shown. */
  urlOf?(endpointId: string): string;
}

export function endpointRead(
  { catalog, clock }: EndpointViewDeps,
  view: EndpointView,
  { withTemplate, urlOf }: ReadOptions,
): Endpoint {
  const { endpoint, template, workers } = view;
  const { flashEnvironmentId: _, flashBuildId: __, ...visible } = endpoint.spec;
  const { cpuFlavorIds, vcpuCount, minCudaVersion, retryPolicy, ...spec } = visible;
  const [networkVolumeId] = spec.networkVolumeIds;
  const now = clock.now();
  return {
    id: endpoint.id,
    name: endpoint.name,
    ...(spec.type === "LB" && urlOf && { requestUrl: urlOf(endpoint.id) }),
    userId: endpoint.accountId,
    templateId: endpoint.templateId,
    version: endpoint.version,
    createdAt: instant(endpoint.createdAt),
    ...(endpoint.owner && { createdBy: endpoint.owner }),
    ...labelsRead(endpoint),
    ...spec,
    instanceIds: [],
    gpuIds: gpuIdsOf(catalog, spec.gpuTypeIds),
    ...(spec.computeType === "CPU" && cpuRead(catalog, { cpuFlavorIds, vcpuCount })),
    // REST v2 accepts fractions of a second.
    scalerValue: wholeScalerValue(spec.scalerValue),
    dataCenterIds: spec.dataCenterIds.length > 0 ? spec.dataCenterIds : idsOf(catalog.dataCenters),
    ...(retryPolicy !== null && { retryPolicy }),
    ...(minCudaVersion !== null && { minCudaVersion }),
    ...(networkVolumeId !== undefined && { networkVolumeId }),
    flashBootType: spec.flashboot ? "FLASHBOOT" : "OFF",
    locations: spec.dataCenterIds.join(","),
    env: template.spec.env,
    ...(withTemplate && { template: templateRead(template) }),
    ...(workers && { workers: workers.map((each) => workerAsPod(catalog, each, view, { now })) }),
  };
}

/** An endpoint without flavors takes any, which is all that endpoints can use. */
function cpuRead(
  catalog: Catalog,
  { cpuFlavorIds: listed, vcpuCount }: Pick<EndpointSpec, "cpuFlavorIds" | "vcpuCount">,
) {
  const cpuFlavorIds = listed.length > 0 ? listed : idsOf(workerFlavors(catalog));
  return {
    cpuFlavorIds,
    vcpuCount,
    instanceIds: cpuFlavorIds.map((id) => cpuInstanceId(catalog, id, vcpuCount)),
    gpuTypeIds: [],
    gpuIds: "",
    gpuCount: 0,
  };
}

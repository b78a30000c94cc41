// An endpoint request, normalized to the catalog's spelling.

import { type Catalog, canonicalGpuType } from "../catalog/catalog.ts";
import type { RetryPolicy } from "../job/retry-policy.ts";
import type { Labels } from "../label/labels.ts";
import { canonicalReferences } from "../model/reference.ts";
import type { EndpointSpec } from "./endpoint.ts";

/** An omitted field keeps its value, or has its default on a new endpoint. */
export interface EndpointRequest extends Partial<Omit<EndpointSpec, "retryPolicy">> {
  /** Members that are left out have their defaults. */
  retryPolicy?: Partial<RetryPolicy> | null;
  name?: string;
  labels?: Labels;
  templateId?: string;
}

/** Resolves aliases, removes duplicates and treats empty text as absent. */
export function normalized(catalog: Catalog, request: EndpointRequest): EndpointRequest {
  const { gpuTypeIds, dataCenterIds, cpuFlavorIds, allowedCudaVersions } = request;
  const { networkVolumeIds, modelReferences } = request;
  return {
    ...request,
    ...(request.minCudaVersion === "" && { minCudaVersion: null }),
    ...(gpuTypeIds && { gpuTypeIds: each(gpuTypeIds, (id) => canonicalGpuType(catalog, id)) }),
    ...(dataCenterIds && { dataCenterIds: each(dataCenterIds, (id) => id.toUpperCase()) }),
    ...(cpuFlavorIds && { cpuFlavorIds: each(cpuFlavorIds, (id) => id) }),
    ...(networkVolumeIds && { networkVolumeIds: each(networkVolumeIds, (id) => id) }),
    ...(modelReferences && { modelReferences: canonicalReferences(modelReferences) }),
    ...(allowedCudaVersions && { allowedCudaVersions: each(allowedCudaVersions, (id) => id) }),
  };
}

function each(ids: string[], spelled: (id: string) => string): string[] {
  return [...new Set(ids.map(spelled))];
}

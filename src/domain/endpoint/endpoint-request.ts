// An endpoint request, normalized to the catalog's spelling.

import { type Catalog, canonicalGpuType } from "../catalog/catalog.ts";
import type { RetryPolicy } from "../job/retry-policy.ts";
import type { EndpointSpec } from "./endpoint.ts";

/** An omitted field keeps its value, or has its default on a new endpoint. */
export interface EndpointRequest extends Partial<Omit<EndpointSpec, "retryPolicy">> {
  /** Members that are left out have their defaults. */
  retryPolicy?: Partial<RetryPolicy> | null;
  name?: string;
  templateId?: string;
  /** Models to load with the endpoint; not supported yet. */
  modelReferences?: string[];
}

/** Resolves aliases, removes duplicates and treats empty text as absent. */
export function normalized(catalog: Catalog, request: EndpointRequest): EndpointRequest {
  const { gpuTypeIds, dataCenterIds, cpuFlavorIds, allowedCudaVersions } = request;
  const { networkVolumeIds } = request;
  return {
    ...request,
    ...(request.minCudaVersion === "" && { minCudaVersion: null }),
    ...(gpuTypeIds && { gpuTypeIds: each(gpuTypeIds, (id) => canonicalGpuType(catalog, id)) }),
    ...(dataCenterIds && { dataCenterIds: each(dataCenterIds, (id) => id.toUpperCase()) }),
    ...(cpuFlavorIds && { cpuFlavorIds: each(cpuFlavorIds, (id) => id) }),
    ...(networkVolumeIds && { networkVolumeIds: each(networkVolumeIds, (id) => id) }),
    ...(allowedCudaVersions && { allowedCudaVersions: each(allowedCudaVersions, (id) => id) }),
  };
}

function each(ids: string[], spelled: (id: string) => string): string[] {
  return [...new Set(ids.map(spelled))];
}

/** A sentence about a requested feature that is not supported, or null. */
export function notOffered(request: EndpointRequest): string | null {
  if (request.modelReferences && request.modelReferences.length > 0) {
    return 'Model references are not offered yet; leave "modelReferences" out.';
  }
  return null;
}

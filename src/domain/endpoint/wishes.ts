// What a client asks of an endpoint, brought to the catalog's own spelling.

import { type Catalog, canonicalGpuType } from "../catalog/catalog.ts";
import type { EndpointSpec } from "./endpoint.ts";

/** Whatever is left out stays as it is, or has its default on a new endpoint. */
export interface EndpointWishes extends Partial<EndpointSpec> {
  name?: string;
  templateId?: string;
  /** Models to bring along; not offered yet. */
  modelReferences?: string[];
  /** `LB` is not offered yet. */
  type?: "QB" | "LB";
}

/** The same with aliases resolved, repetitions dropped, and empty text as nothing. */
export function normalized(catalog: Catalog, wishes: EndpointWishes): EndpointWishes {
  const { gpuTypeIds, dataCenterIds, cpuFlavorIds, allowedCudaVersions } = wishes;
  const { networkVolumeIds } = wishes;
  return {
    ...wishes,
    ...(wishes.minCudaVersion === "" && { minCudaVersion: null }),
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

/** What was asked for and is not there yet, or null. */
export function notOffered(wishes: EndpointWishes): string | null {
  if (wishes.type === "LB") {
    return 'Load-balancing endpoints are not offered yet; leave "type" out, or give "QB".';
  }
  if (wishes.modelReferences && wishes.modelReferences.length > 0) {
    return 'Model references are not offered yet; leave "modelReferences" out.';
  }
  return null;
}

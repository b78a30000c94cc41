// The name of a GPU type, the same on every page.

import { api } from "../../api/client.ts";

/**
 * Names GPU types as the catalog does. A type that is not in the catalog is shown by its id without the maker: "GeForce RTX
 * 4090" is "RTX 4090".
 */
export function useGpuName(): (gpuTypeId: string) => string {
  const { data: types = [] } = api.useQuery("get", "/v1/catalog/gpu-types");
  const names = new Map(types.map(({ id, displayName }) => [id, displayName]));
  return (id) => names.get(id) ?? id.replace(/^NVIDIA (?:GeForce )?/, "");
}

export function GpuName({ id }: { id: string }): string {
  return useGpuName()(id);
}

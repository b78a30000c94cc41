// What workers cost by the hour, before there are any.

import { api } from "../../../api/client.ts";
import type { Draft } from "./draft.ts";

export interface Prices {
  /** Dollars per hour of one worker; null where it is not known before it is placed. */
  worker: number | null;
  least: number | null;
  most: number | null;
}

export function usePrices(draft: Draft): Prices {
  const { data: gpus } = api.useQuery("get", "/v1/catalog/gpu-types");
  const { data: flavors } = api.useQuery("get", "/v1/catalog/cpu-flavors");
  const { computeType, gpuTypeIds, gpuCount, cpuFlavorId, vcpuCount } = draft;
  if (computeType === "CPU") {
    const flavor = flavors?.find(({ id, serverless }) =>
      cpuFlavorId ? id === cpuFlavorId : serverless,
    );
    return ofWorker(flavor ? flavor.pricePerVcpu * vcpuCount : null, draft);
  }
  const chosen = gpus?.filter(({ id }) => gpuTypeIds.includes(id)) ?? [];
  if (chosen.length === 0) return ofWorker(null, draft);
  return ofWorker(
    Math.max(...chosen.map(({ serverlessPrice }) => serverlessPrice)) * gpuCount,
    draft,
  );
}

function ofWorker(worker: number | null, { workersMin, workersMax }: Draft): Prices {
  if (worker === null) return { worker, least: null, most: null };
  return { worker, least: worker * workersMin, most: worker * workersMax };
}

// Routes of /v1/catalog.

import type { FastifyInstance } from "fastify";
import {
  type CpuFlavor,
  catalogOperations,
  type GpuType,
} from "../../../contract/rest-v1/machine/catalog.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { serveOperations } from "../../management/serve/serve.ts";

export function catalogRoutes(app: FastifyInstance, { catalog }: { catalog: Catalog }): void {
  serveOperations(app, catalogOperations, {
    listGpuTypes: async () => catalog.gpuTypes.map(gpuTypeRead),
    listCpuFlavors: async () => catalog.cpuFlavors.map(cpuFlavorRead),
    listDataCenters: async () => [...catalog.dataCenters],
    getStoragePrices: async () => storageRead(catalog.storage),
  });
}

export function storageRead(storage: Catalog["storage"]) {
  return {
    containerDisk: dollars(storage.containerDisk),
    volumeRunning: dollars(storage.volumeRunning),
    volumeStopped: dollars(storage.volumeStopped),
    networkVolume: dollars(storage.networkVolume),
    networkVolumeBeyond: dollars(storage.networkVolumeBeyond),
  };
}

function gpuTypeRead({ prices, ...type }: Catalog["gpuTypes"][number]): GpuType {
  return {
    ...type,
    securePrice: dollars(prices.secure),
    communityPrice: dollars(prices.community),
    secureSpotPrice: dollars(prices.secureSpot),
    communitySpotPrice: dollars(prices.communitySpot),
    serverlessPrice: dollars(prices.serverless),
    ...(prices.threeMonth !== null && { threeMonthPrice: dollars(prices.threeMonth) }),
    ...(prices.sixMonth !== null && { sixMonthPrice: dollars(prices.sixMonth) }),
  };
}

function cpuFlavorRead(flavor: Catalog["cpuFlavors"][number]): CpuFlavor {
  const { vcpuCounts, pricePerVcpu } = flavor;
  return { ...flavor, vcpuCounts: [...vcpuCounts], pricePerVcpu: dollars(pricePerVcpu) };
}

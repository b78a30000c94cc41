// The catalog: hardware types, data centers and prices. Operations of Freehold's own.

import Type, { type Static } from "typebox";
import type { Operations } from "../../operation.ts";

const price = (description: string) => Type.Number({ description: `Dollars per ${description}.` });

const gpuType = Type.Object(
  {
    id: Type.String(),
    displayName: Type.String(),
    manufacturer: Type.String(),
    memoryInGb: Type.Integer(),
    pool: Type.Union([Type.String(), Type.Null()], {
      description: "The pool that serverless clients name it by; null if it is in no pool.",
    }),
    securePrice: price("GPU-hour in a data center"),
    communityPrice: price("GPU-hour on a community machine"),
    secureSpotPrice: price("GPU-hour of a spot Pod in a data center"),
    communitySpotPrice: price("GPU-hour of a spot Pod on a community machine"),
    serverlessPrice: price("GPU-hour of a worker"),
    threeMonthPrice: Type.Optional(price("GPU-hour of a three-month savings plan")),
    sixMonthPrice: Type.Optional(price("GPU-hour of a six-month savings plan")),
  },
  { title: "GpuType" },
);
export type GpuType = Static<typeof gpuType>;

const cpuFlavor = Type.Object(
  {
    id: Type.String(),
    displayName: Type.String(),
    vcpuCounts: Type.Array(Type.Integer()),
    ramGbPerVcpu: Type.Integer(),
    pricePerVcpu: price("virtual CPU and hour"),
    serverless: Type.Boolean({ description: "Whether endpoints can use it." }),
  },
  { title: "CpuFlavor" },
);
export type CpuFlavor = Static<typeof cpuFlavor>;

const dataCenter = Type.Object(
  {
    id: Type.String(),
    location: Type.String(),
    countryCode: Type.String(),
    region: Type.String(),
  },
  { title: "DataCenter" },
);

const monthly = price("GB and month");

export const storagePrices = Type.Object(
  {
    containerDisk: monthly,
    volumeRunning: monthly,
    volumeStopped: monthly,
    networkVolume: monthly,
    networkVolumeBeyond: price("GB and month beyond the first 1,000 GB"),
  },
  { title: "StoragePrices" },
);

const read = { of: "rest", access: "read", area: "own" } as const;
const list = <Schema extends Type.TSchema>(description: string, schema: Schema) => {
  return { status: 200, description, schema: Type.Array(schema) } as const;
};

export const catalogOperations = {
  listGpuTypes: {
    method: "GET",
    path: "/v1/catalog/gpu-types",
    tag: "Catalog",
    summary: "List GPU types",
    needs: read,
    answer: list("The GPU types.", gpuType),
  },
  listCpuFlavors: {
    method: "GET",
    path: "/v1/catalog/cpu-flavors",
    tag: "Catalog",
    summary: "List CPU flavors",
    needs: read,
    answer: list("The CPU flavors.", cpuFlavor),
  },
  listDataCenters: {
    method: "GET",
    path: "/v1/catalog/data-centers",
    tag: "Catalog",
    summary: "List data centers",
    needs: read,
    answer: list("The data centers.", dataCenter),
  },
  getStoragePrices: {
    method: "GET",
    path: "/v1/catalog/storage-prices",
    tag: "Catalog",
    summary: "Read storage prices",
    needs: read,
    answer: {
      status: 200,
      description: "The storage prices; a month has 730 hours.",
      schema: storagePrices,
    },
  },
} as const satisfies Operations;

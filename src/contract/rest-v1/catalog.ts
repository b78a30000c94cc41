// The catalog: what there is to rent, and at what price. Operations of ours.

import Type, { type Static } from "typebox";
import type { Operations } from "../operation.ts";

const price = (description: string) => Type.Number({ description: `Dollars per ${description}.` });

export const gpuType = Type.Object(
  {
    id: Type.String(),
    displayName: Type.String(),
    manufacturer: Type.String(),
    memoryInGb: Type.Integer(),
    pool: Type.Union([Type.String(), Type.Null()], {
      description: "What serverless clients name it by, together with others; null: by itself.",
    }),
    securePrice: price("GPU and hour in a data center"),
    communityPrice: price("GPU and hour on a machine of the community"),
    secureSpotPrice: price("GPU and hour that can be taken away"),
    communitySpotPrice: price("GPU and hour that can be taken away"),
    serverlessPrice: price("GPU and hour of an endpoint's worker"),
    threeMonthPrice: Type.Optional(price("GPU and hour of a savings plan of three months")),
    sixMonthPrice: Type.Optional(price("GPU and hour of a savings plan of six months")),
  },
  { title: "GpuType" },
);
export type GpuType = Static<typeof gpuType>;

export const cpuFlavor = Type.Object(
  {
    id: Type.String(),
    displayName: Type.String(),
    vcpuCounts: Type.Array(Type.Integer()),
    ramGbPerVcpu: Type.Integer(),
    pricePerVcpu: price("virtual CPU and hour"),
    serverless: Type.Boolean({ description: "Whether endpoints can ask for it." }),
  },
  { title: "CpuFlavor" },
);
export type CpuFlavor = Static<typeof cpuFlavor>;

export const dataCenter = Type.Object(
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
    networkVolumeBeyond: price("GB and month, of what is beyond the first 1,000 GB"),
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
    summary: "List the GPU types",
    needs: read,
    answer: list("The GPU types.", gpuType),
  },
  listCpuFlavors: {
    method: "GET",
    path: "/v1/catalog/cpu-flavors",
    tag: "Catalog",
    summary: "List the CPU flavors",
    needs: read,
    answer: list("The CPU flavors.", cpuFlavor),
  },
  listDataCenters: {
    method: "GET",
    path: "/v1/catalog/data-centers",
    tag: "Catalog",
    summary: "List the data centers",
    needs: read,
    answer: list("The data centers.", dataCenter),
  },
  getStoragePrices: {
    method: "GET",
    path: "/v1/catalog/storage-prices",
    tag: "Catalog",
    summary: "Read what disks and volumes cost",
    needs: read,
    answer: {
      status: 200,
      description: "The prices; a month has 730 hours.",
      schema: storagePrices,
    },
  },
} as const satisfies Operations;

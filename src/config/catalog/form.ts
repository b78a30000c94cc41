// The schema of the catalog file. Prices are in dollars: per GPU-hour, per vCPU-hour, per GB-month.

import Type, { type Static } from "typebox";

const id = Type.String({ minLength: 1, maxLength: 191 });
/** Keeps every sum of charges within the range of exact integers. */
const price = Type.Number({ minimum: 0, maximum: 10_000 });
const closed = { additionalProperties: false };

const gpuType = Type.Object(
  {
    id,
    displayName: Type.String(),
    manufacturer: Type.String(),
    memoryInGb: Type.Integer({ minimum: 1 }),
    pool: Type.Union([Type.String(), Type.Null()]),
    securePrice: price,
    communityPrice: price,
    secureSpotPrice: price,
    communitySpotPrice: price,
    serverlessPricePerSecond: Type.Optional(price),
    threeMonthPrice: Type.Optional(price),
    sixMonthPrice: Type.Optional(price),
  },
  closed,
);

const cpuFlavor = Type.Object(
  {
    id,
    displayName: Type.String(),
    vcpuCounts: Type.Array(Type.Integer({ minimum: 1 })),
    ramGbPerVcpu: Type.Integer({ minimum: 1 }),
    pricePerVcpu: price,
    serverless: Type.Boolean(),
  },
  closed,
);

const dataCenter = Type.Object(
  { id, location: Type.String(), countryCode: Type.String(), region: Type.String() },
  closed,
);

const storage = Type.Object(
  {
    containerDisk: price,
    volumeRunning: price,
    volumeStopped: price,
    networkVolume: price,
    networkVolumeBeyond: price,
  },
  closed,
);

export const catalogForm = Type.Object(
  {
    gpuTypes: Type.Array(gpuType),
    gpuTypeAliases: Type.Record(Type.String(), Type.String()),
    cpuFlavors: Type.Array(cpuFlavor),
    dataCenters: Type.Array(dataCenter),
    cudaVersions: Type.Array(Type.String({ pattern: "^\\d+\\.\\d+$" })),
    storage,
  },
  closed,
);
export type CatalogForm = Static<typeof catalogForm>;

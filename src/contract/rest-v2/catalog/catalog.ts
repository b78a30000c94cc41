// The catalog: hardware types and data centers, with their availability on request.

import Type, { type Static } from "typebox";
import { TAKES, wholeNumber } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { cudaVersion } from "../fields.ts";
import { template } from "../template/template.ts";

const level = Type.Enum(["NONE", "LOW", "MEDIUM", "HIGH"]);
const available = Type.Object({ id: Type.String(), name: Type.String(), availability: level });
const price = Type.Number({ description: "Dollars per hour." });

const gpuType = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    pool: Type.Union([Type.String(), Type.Null()]),
    manufacturer: Type.Enum(["NVIDIA", "AMD", "UNKNOWN"]),
    memory: Type.Integer({ description: "GB." }),
    secure: Type.Boolean(),
    community: Type.Boolean(),
    price: Type.Object({ secure: price, community: price, serverless: price }),
    maxCount: Type.Object({ secure: Type.Integer(), community: Type.Integer() }),
    availability: Type.Optional(level),
    dataCenters: Type.Optional(Type.Array(available)),
    cudaVersions: Type.Optional(
      Type.Array(Type.Object({ version: Type.String(), available: Type.Boolean() })),
    ),
  },
  { title: "GpuType" },
);
export type GpuType = Static<typeof gpuType>;

const cpuType = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    group: Type.String(),
    vcpu: Type.Object({ min: Type.Integer(), max: Type.Integer() }),
    ramGbPerVcpu: Type.Number(),
    price: Type.Object({ securePerVcpu: price, serverlessPerVcpu: price }),
    availability: Type.Optional(level),
    dataCenters: Type.Optional(Type.Array(available)),
  },
  { title: "CpuType" },
);
export type CpuType = Static<typeof cpuType>;

/** An operator's catalog can name others, which are shown as UNKNOWN. */
export const regions = [
  "NORTH_AMERICA",
  "SOUTH_AMERICA",
  "EUROPE",
  "ASIA",
  "MIDDLE_EAST",
  "AFRICA",
  "OCEANIA",
  "ANTARCTICA",
] as const;
const region = Type.Enum([...regions, "UNKNOWN"]);
const volumeType = Type.Enum(["STANDARD", "HIGH_PERFORMANCE"]);

const dataCenter = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    region,
    globalNetwork: Type.Boolean(),
    networkVolumeTypes: Type.Array(volumeType),
    compliance: Type.Array(Type.String()),
    gpuAvailability: Type.Optional(Type.Array(available)),
    cpuAvailability: Type.Optional(Type.Array(available)),
  },
  { title: "DataCenter" },
);
export type DataCenter = Static<typeof dataCenter>;

const listOf = <Item extends Type.TSchema>(items: Item, takes: string) =>
  Type.Optional(Type.Array(items, { [TAKES]: takes }));

const include = listOf(Type.Enum(["AVAILABILITY"]), "AVAILABILITY");

const gpuQuery = Type.Object({
  include,
  product: listOf(
    Type.Enum(["POD", "CLUSTER", "SERVERLESS"]),
    "a list of POD, CLUSTER and SERVERLESS",
  ),
  count: Type.Optional(wholeNumber(1, { default: 1 })),
  cloud: Type.Optional(Type.Enum(["SECURE", "COMMUNITY"], { default: "SECURE" })),
  countryCodes: listOf(Type.String({ pattern: "^[A-Z]{2}$" }), "a list of country codes"),
  cudaVersions: listOf(cudaVersion, 'a list of CUDA versions such as "12.4"'),
  minCudaVersion: Type.Optional(
    Type.String({ pattern: "^\\d+(\\.\\d+)?$", [TAKES]: 'a CUDA version such as "12.4" or "12"' }),
  ),
});
export type GpuQuery = Static<typeof gpuQuery>;

const cpuQuery = Type.Object({
  include,
  product: listOf(Type.Enum(["POD", "SERVERLESS"]), "a list of POD and SERVERLESS"),
  vcpuCount: Type.Optional(wholeNumber(2)),
});
export type CpuQuery = Static<typeof cpuQuery>;

const dataCenterInclude = listOf(
  Type.Enum(["GPU_AVAILABILITY", "CPU_AVAILABILITY"]),
  "a list of GPU_AVAILABILITY and CPU_AVAILABILITY",
);

const tag = "Catalog";
const needs = { of: "rest", access: "read", area: "own" } as const;
const list = <Schema extends Type.TSchema>(description: string, schema: Schema) =>
  ({ status: 200, description, schema }) as const;

export const catalogOperations = {
  listGpuTypes: {
    method: "GET",
    path: "/v2/catalog/gpus",
    tag,
    summary: "List GPU types",
    description: "The filters need include=AVAILABILITY.",
    needs,
    query: gpuQuery,
    answer: list(
      "The GPU types.",
      Type.Object({ gpus: Type.Array(gpuType) }, { title: "GpuList" }),
    ),
  },
  getGpuType: {
    method: "GET",
    path: "/v2/catalog/gpus/{gpuTypeName}",
    tag,
    summary: "Read a GPU type",
    needs,
    names: ["gpuTypeName"],
    query: gpuQuery,
    answer: list("The GPU type.", gpuType),
  },
  listCpuTypes: {
    method: "GET",
    path: "/v2/catalog/cpus",
    tag,
    summary: "List CPU flavors",
    needs,
    query: cpuQuery,
    answer: list("The flavors.", Type.Object({ cpus: Type.Array(cpuType) }, { title: "CpuList" })),
  },
  getCpuType: {
    method: "GET",
    path: "/v2/catalog/cpus/{cpuFlavorName}",
    tag,
    summary: "Read a CPU flavor",
    needs,
    names: ["cpuFlavorName"],
    query: cpuQuery,
    answer: list("The CPU flavor.", cpuType),
  },
  listDataCenters: {
    method: "GET",
    path: "/v2/catalog/datacenters",
    tag,
    summary: "List data centers",
    needs,
    query: Type.Object({
      include: dataCenterInclude,
      regions: listOf(region, "a list of regions"),
      networkVolumeTypes: listOf(volumeType, "a list of STANDARD and HIGH_PERFORMANCE"),
      compliance: listOf(Type.String(), "a list of certifications"),
      globalNetwork: Type.Optional(Type.Boolean()),
    }),
    answer: list(
      "The data centers.",
      Type.Object({ dataCenters: Type.Array(dataCenter) }, { title: "DataCenterList" }),
    ),
  },
  getDataCenter: {
    method: "GET",
    path: "/v2/catalog/datacenters/{dataCenterName}",
    tag,
    summary: "Read a data center",
    needs,
    names: ["dataCenterName"],
    query: Type.Object({ include: dataCenterInclude }),
    answer: list("The data center.", dataCenter),
  },
  listCatalogTemplates: {
    method: "GET",
    path: "/v2/catalog/templates",
    tag,
    summary: "List public templates",
    description:
      "Official templates come with Freehold or from its operator, and public templates of all " +
      "accounts are community templates. There are no verified ones.",
    needs,
    query: Type.Object({
      source: Type.Optional(
        Type.Enum(["official", "verified", "community"], { default: "official" }),
      ),
    }),
    answer: list(
      "At most 100 templates.",
      Type.Object({ templates: Type.Array(template) }, { title: "PublicTemplates" }),
    ),
  },
} as const satisfies Operations;

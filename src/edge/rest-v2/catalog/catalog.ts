// Routes of /v2/catalog.

import type { FastifyInstance } from "fastify";
import {
  type CpuQuery,
  type CpuType,
  catalogOperations,
  type DataCenter,
  type GpuQuery,
  type GpuType,
  regions,
} from "../../../contract/rest-v2/catalog/catalog.ts";
import type {
  CpuFlavor,
  DataCenter as DomainCenter,
  GpuType as DomainGpuType,
} from "../../../domain/catalog/catalog.ts";
import { canonicalGpuType } from "../../../domain/catalog/catalog.ts";
import { Fault } from "../../../domain/fault.ts";
import { type Capacity, capacityOf } from "../../../flows/catalog/capacity.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { publicTemplatesOf } from "../../../flows/template/list.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { serveRestV2 } from "../serve/serve.ts";
import { templateRead } from "../template/template-form.ts";
import {
  centerAvailability,
  cpuAvailability,
  gpuAvailability,
  requireConsistent,
} from "./availability.ts";

const MAX_TEMPLATES = 100;

type Deps = Pick<PodDeps, "store" | "clock" | "catalog" | "heartbeatTiming" | "officialTemplates">;

export function catalogRoutes(app: FastifyInstance, deps: Deps): void {
  const { catalog } = deps;
  const gpus = async (types: readonly DomainGpuType[], query: GpuQuery) => {
    requireConsistent(query);
    const capacity = await capacityOf(deps);
    return types.map((type) => ({
      ...gpuRead(type, capacity),
      ...(query.include && gpuAvailability(catalog, capacity, type.id, query)),
    }));
  };
  const cpus = async (flavors: readonly CpuFlavor[], query: CpuQuery) => {
    requireConsistent(query);
    const capacity = query.include ? await capacityOf(deps) : null;
    return flavors.map((flavor) => ({
      ...cpuRead(flavor),
      ...(capacity && cpuAvailability(catalog, capacity, flavor, query)),
    }));
  };
  const centers = async (found: readonly DomainCenter[], include: string[] = []) => {
    const capacity = include.length > 0 ? await capacityOf(deps) : null;
    return found.map((center) => {
      const availability = capacity && centerAvailability(catalog, capacity, center);
      return {
        ...centerRead(center),
        ...(include.includes("GPU_AVAILABILITY") && { gpuAvailability: availability!.gpus() }),
        ...(include.includes("CPU_AVAILABILITY") && { cpuAvailability: availability!.cpus() }),
      };
    });
  };
  serveRestV2(app, catalogOperations, {
    async listGpuTypes({ query }) {
      const countries = query.countryCodes;
      const isThere = ({ dataCenters }: GpuType) =>
        dataCenters?.some(({ availability }) => availability !== "NONE") === true;
      const all = await gpus(catalog.gpuTypes, query);
      return { gpus: countries ? all.filter(isThere) : all };
    },
    async getGpuType({ params, query }) {
      const id = canonicalGpuType(catalog, params.gpuTypeName);
      return (await gpus([named(catalog.gpuTypes, id)], query))[0]!;
    },
    listCpuTypes: async ({ query }) => ({ cpus: await cpus(catalog.cpuFlavors, query) }),
    getCpuType: async ({ params, query }) =>
      (await cpus([named(catalog.cpuFlavors, params.cpuFlavorName)], query))[0]!,
    async listDataCenters({ query }) {
      const { regions, networkVolumeTypes = [], compliance = [], globalNetwork } = query;
      const all = await centers(catalog.dataCenters, query.include);
      const matching = all.filter(
        (center) =>
          (regions?.includes(center.region) ?? true) &&
          networkVolumeTypes.every((type) => center.networkVolumeTypes.includes(type)) &&
          compliance.every((each) => center.compliance.includes(each)) &&
          (globalNetwork === undefined || globalNetwork === center.globalNetwork),
      );
      return { dataCenters: matching };
    },
    getDataCenter: async ({ params, query }) =>
      (await centers([named(catalog.dataCenters, params.dataCenterName)], query.include))[0]!,
    async listCatalogTemplates({ accountId, query }) {
      if (query.source === "verified") return { templates: [] };
      const found =
        query.source === "community"
          ? await publicTemplatesOf(deps, MAX_TEMPLATES)
          : deps.officialTemplates.all.slice(0, MAX_TEMPLATES);
      return { templates: found.map((each) => templateRead(accountId, each)) };
    },
  });
}

function named<Item extends { id: string }>(all: readonly Item[], id: string): Item {
  const found = all.find((each) => each.id === id);
  if (!found) throw new Fault("resource_not_found", { id: id.slice(0, 80) });
  return found;
}

function gpuRead(type: DomainGpuType, { maxGpus }: Capacity): GpuType {
  const { id, displayName, pool, manufacturer, memoryInGb, prices } = type;
  const known = manufacturer === "NVIDIA" || manufacturer === "AMD" ? manufacturer : "UNKNOWN";
  const count = maxGpus.get(id) ?? 0;
  return {
    id,
    name: displayName,
    pool,
    manufacturer: known,
    memory: memoryInGb,
    secure: true,
    community: true,
    price: {
      secure: dollars(prices.secure),
      community: dollars(prices.community),
      serverless: dollars(prices.serverless),
    },
    maxCount: { secure: count, community: count },
  };
}

function cpuRead({ id, displayName, vcpuCounts, ramGbPerVcpu, pricePerVcpu }: CpuFlavor): CpuType {
  const perVcpu = dollars(pricePerVcpu);
  return {
    id,
    name: displayName,
    group: displayName,
    vcpu: { min: Math.min(...vcpuCounts), max: Math.max(...vcpuCounts) },
    ramGbPerVcpu,
    price: { securePerVcpu: perVcpu, serverlessPerVcpu: perVcpu },
  };
}

/** Machines here have no global network and declare no certifications. */
function centerRead({ id, location, region }: DomainCenter): DataCenter {
  return {
    id,
    name: location,
    region: regions.find((each) => each === region) ?? "UNKNOWN",
    globalNetwork: false,
    networkVolumeTypes: ["STANDARD", "HIGH_PERFORMANCE"],
    compliance: [],
  };
}

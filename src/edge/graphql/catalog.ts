// The catalog: what there is to rent, at what price, and how much of it is free. Readable by anybody.

import {
  type Catalog,
  type CpuFlavor,
  canonicalGpuType,
  type DataCenter,
  type GpuType,
} from "../../domain/catalog/catalog.ts";
import { instanceOf } from "../../domain/catalog/cpu-instance.ts";
import { poolsOf } from "../../domain/catalog/gpu-ids.ts";
import { cpuStockOf } from "../../domain/catalog/stock.ts";
import type { Capacity } from "../../flows/catalog/capacity.ts";
import { dollars } from "../rest-v1/dollars.ts";
import type { Context } from "./context.ts";
import type { Fields } from "./fields.ts";
import { lowestPrice, type OfferInput, stockOfType } from "./lowest-price.ts";

interface GpuTypeFilter {
  id?: string | null;
  ids?: string[] | null;
  cluster?: boolean | null;
}

export const catalogFields: Fields = {
  Query: {
    gpuTypes: async (_, { input }: { input?: GpuTypeFilter | null }, context) => {
      const capacity = await context.capacity();
      const { catalog } = context.deps;
      return chosen(catalog, input).map((type) => graphqlGpuType(catalog, type, capacity));
    },
    cpuTypes: (_, __, { deps }) => deps.catalog.cpuFlavors.map(cpuType),
    cpuFlavors: (_, { input }: { input?: { id?: string | null } | null }, { deps }) =>
      deps.catalog.cpuFlavors.filter(({ id }) => !input?.id || input.id === id).map(cpuFlavor),
    dataCenters: (_, __, { deps }) => deps.catalog.dataCenters.map(dataCenter),
    countryCodes: async (_, __, context) =>
      countries(context.deps.catalog, await context.capacity()),
    serverlessGpuPools: (_, __, { deps }) => poolsOf(deps.catalog),
  },
  PodMachineInfo: {
    gpuType: ({ gpuTypeId }: { gpuTypeId: string }, _, context) => typeOf(context, gpuTypeId),
  },
  GpuAvailability: {
    gpuType: ({ gpuTypeId }: { gpuTypeId: string }, _, context) => typeOf(context, gpuTypeId),
  },
  CpuFlavor: {
    specifics: async (
      { id }: { id: string },
      { input }: { input?: SpecificsInput | null },
      context,
    ) => specifics(context.deps.catalog, id, await context.capacity(), input ?? {}),
  },
  DataCenter: {
    gpuAvailability: async (
      { id }: DataCenter,
      { input }: { input?: OfferInput | null },
      context,
    ) => availability(context.deps.catalog, id, await context.capacity(), input),
  },
};

export async function typeOf(context: Context, id: string | null) {
  const { catalog } = context.deps;
  const type = catalog.gpuTypes.find((each) => each.id === id);
  return type ? graphqlGpuType(catalog, type, await context.capacity()) : null;
}

function chosen(catalog: Catalog, input: GpuTypeFilter | null | undefined) {
  const ids = [...(input?.id ? [input.id] : []), ...(input?.ids ?? [])];
  const wanted = new Set(ids.map((id) => canonicalGpuType(catalog, id)));
  // An empty text asks for nothing in particular, an empty list for nothing at all.
  if (wanted.size === 0 && !input?.ids) return catalog.gpuTypes;
  return catalog.gpuTypes.filter(({ id }) => wanted.has(id));
}

function graphqlGpuType(catalog: Catalog, type: GpuType, capacity: Capacity) {
  const { prices } = type;
  const maxGpuCount = capacity.most.get(type.id) ?? 0;
  const [secureCloud, communityCloud] = [prices.secure > 0, prices.community > 0];
  return {
    id: type.id,
    displayName: type.displayName,
    manufacturer: type.manufacturer,
    memoryInGb: type.memoryInGb,
    secureCloud,
    communityCloud,
    maxGpuCount,
    maxGpuCountSecureCloud: secureCloud ? maxGpuCount : 0,
    maxGpuCountCommunityCloud: communityCloud ? maxGpuCount : 0,
    minPodGpuCount: 1,
    nodeGroupGpuSizes: [],
    nodeGroupDatacenters: [],
    securePrice: dollars(prices.secure),
    communityPrice: dollars(prices.community),
    secureSpotPrice: dollars(prices.secureSpot),
    communitySpotPrice: dollars(prices.communitySpot),
    threeMonthPrice: prices.threeMonth === null ? null : dollars(prices.threeMonth),
    sixMonthPrice: prices.sixMonth === null ? null : dollars(prices.sixMonth),
    lowestPrice: ({ input }: { input?: OfferInput | null }) =>
      lowestPrice(catalog, type, capacity, input),
  };
}

/** The flavor is what the management interface names a Pod's CPU by as well. */
function cpuType({ id, displayName, vcpuCounts }: CpuFlavor) {
  return { id, displayName, groupId: id, cores: Math.max(...vcpuCounts), threadsPerCore: 1 };
}

/** Clients plan disks by it; here it is no limit. */
const DISK_GB_PER_VCPU = 10;

function cpuFlavor({ id, displayName, vcpuCounts, ramGbPerVcpu }: CpuFlavor) {
  return {
    id,
    groupId: id,
    groupName: displayName,
    displayName,
    minVcpu: Math.min(...vcpuCounts),
    maxVcpu: Math.max(...vcpuCounts),
    vcpuBurstable: false,
    ramMultiplier: ramGbPerVcpu,
    diskLimitPerVcpu: DISK_GB_PER_VCPU,
  };
}

interface SpecificsInput {
  dataCenterId?: string | null;
  instanceId?: string | null;
}

/** Per virtual CPU; of the whole instance where one is named. */
function specifics(catalog: Catalog, id: string, { places }: Capacity, input: SpecificsInput) {
  const flavor = catalog.cpuFlavors.find((each) => each.id === id);
  if (!flavor) return null;
  const instance = input.instanceId ? instanceOf(catalog, [input.instanceId]) : null;
  const vcpus = instance?.vcpuCount ?? Math.min(...flavor.vcpuCounts);
  const memoryMb = vcpus * flavor.ramGbPerVcpu * 1_024;
  const dataCenterIds = input.dataCenterId ? [input.dataCenterId.toUpperCase()] : [];
  const offered = instance === null || instance.cpuFlavorIds.includes(id);
  return {
    stockStatus: offered ? cpuStockOf(places, { vcpus, memoryMb, dataCenterIds }) : null,
    securePrice: dollars(flavor.pricePerVcpu * (instance ? vcpus : 1)),
    slsPrice: null,
  };
}

export function dataCenter({ id, location }: DataCenter) {
  return {
    id,
    name: id,
    location,
    listed: true,
    storageSupport: true,
    globalNetwork: false,
    s3apiEnabled: false,
    compliance: [],
  };
}

function availability(
  catalog: Catalog,
  dataCenterId: string,
  capacity: Capacity,
  input: OfferInput | null | undefined,
) {
  return catalog.gpuTypes.map(({ id, displayName }) => {
    const { level } = stockOfType(catalog, id, capacity, { ...input, dataCenterId });
    return {
      id: `${dataCenterId}-${id}`,
      gpuTypeId: id,
      gpuTypeDisplayName: displayName,
      displayName,
      available: level !== null,
      stockStatus: level,
    };
  });
}

/** A machine that does not say where it stands matches whatever is asked. */
function countries({ dataCenters }: Catalog, { places }: Capacity): string[] {
  const declared = places.map(({ inventory }) => inventory.countryCode);
  const known = declared.filter((code) => code !== null);
  const all = declared.includes(null) ? dataCenters.map(({ countryCode }) => countryCode) : [];
  return [...new Set([...known, ...all])].sort();
}

// The catalog: what can be rented, at what price, and what is free. Readable without a key.

import { type Catalog, canonicalGpuType } from "../../../domain/catalog/catalog.ts";
import { cpuMemoryMb, instanceOf } from "../../../domain/catalog/cpu-instance.ts";
import { poolsOf } from "../../../domain/catalog/gpu-ids.ts";
import { cpuStockOf } from "../../../domain/placement/stock.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { flavorAsCpuType } from "../../management/pod/machine-view.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import type { GraphqlContext } from "../schema/context.ts";
import type {
  GpuAvailabilityInput,
  GpuTypeFilter,
  SpecificsInput,
} from "../schema/types.generated.ts";
import { graphqlCpuFlavor, graphqlDataCenter, graphqlGpuType } from "../view/catalog-view.ts";
import { stockOfType } from "../view/lowest-price.ts";

interface Deps {
  catalog: Catalog;
}

export const catalogResolvers: Resolvers<GraphqlContext<Deps>> = {
  Query: {
    gpuTypes: async (_, { input }, context) => {
      const capacity = await context.capacity();
      const { catalog } = context.deps;
      return filterGpuTypes(catalog, capacity, input).map((type) =>
        graphqlGpuType(catalog, type, capacity),
      );
    },
    cpuTypes: (_, __, { deps }) => deps.catalog.cpuFlavors.map(flavorAsCpuType),
    cpuFlavors: (_, { input }, { deps }) =>
      deps.catalog.cpuFlavors
        .filter(({ id }) => !input?.id || input.id === id)
        .map(graphqlCpuFlavor),
    dataCenters: (_, __, { deps }) => deps.catalog.dataCenters.map(graphqlDataCenter),
    countryCodes: async (_, __, context) =>
      countryCodes(context.deps.catalog, await context.capacity()),
    serverlessGpuPools: (_, __, { deps }) => poolsOf(deps.catalog),
  },
  PodMachineInfo: {
    gpuType: ({ gpuTypeId }, _, context) => readGpuType(context, gpuTypeId),
  },
  GpuAvailability: {
    gpuType: ({ gpuTypeId }, _, context) => readGpuType(context, gpuTypeId),
  },
  CpuFlavor: {
    specifics: async ({ id }, { input }, context) =>
      cpuSpecifics(context.deps.catalog, id, await context.capacity(), input ?? {}),
  },
  DataCenter: {
    gpuAvailability: async ({ id }, { input }, context) =>
      gpuAvailability(context.deps.catalog, id, await context.capacity(), input),
  },
};

export async function readGpuType(context: GraphqlContext<Deps>, id: string | null | undefined) {
  const { catalog } = context.deps;
  const type = catalog.gpuTypes.find((each) => each.id === id);
  return type ? graphqlGpuType(catalog, type, await context.capacity()) : null;
}

/** `cluster: true` keeps the types of which machines here have enough for the smallest cluster. */
function filterGpuTypes(
  catalog: Catalog,
  { clusterDataCenters }: Capacity,
  input: GpuTypeFilter | null | undefined,
) {
  const named = namedGpuTypes(catalog, input);
  if (!input?.cluster) return named;
  return named.filter(({ id }) => clusterDataCenters.has(id));
}

function namedGpuTypes(catalog: Catalog, input: GpuTypeFilter | null | undefined) {
  const ids = [...(input?.id ? [input.id] : []), ...(input?.ids ?? [])];
  const canonicalIds = new Set(ids.map((id) => canonicalGpuType(catalog, id)));
  // An empty text means every type; an empty list means none.
  if (canonicalIds.size === 0 && !input?.ids) return catalog.gpuTypes;
  return catalog.gpuTypes.filter(({ id }) => canonicalIds.has(id));
}

/**
 * Prices of the instance, or of the flavor's smallest one: clients multiply by its virtual CPUs. An endpoint's
 * worker costs the same as a Pod.
 */
function cpuSpecifics(catalog: Catalog, id: string, { places }: Capacity, input: SpecificsInput) {
  const flavor = catalog.cpuFlavors.find((each) => each.id === id);
  if (!flavor) return null;
  const instance = input.instanceId ? instanceOf(catalog, [input.instanceId]) : null;
  const vcpus = instance?.vcpuCount ?? Math.min(...flavor.vcpuCounts);
  const memoryMb = cpuMemoryMb(flavor, vcpus);
  const dataCenterIds = input.dataCenterId ? [input.dataCenterId.toUpperCase()] : [];
  const price = dollars(flavor.pricePerVcpu * vcpus);
  const isOffered = instance === null || instance.cpuFlavorIds.includes(id);
  return {
    stockStatus: isOffered ? cpuStockOf(places, { vcpus, memoryMb, dataCenterIds }) : null,
    securePrice: price,
    slsPrice: flavor.serverless ? price : null,
  };
}

function gpuAvailability(
  catalog: Catalog,
  dataCenterId: string,
  capacity: Capacity,
  input: GpuAvailabilityInput | null | undefined,
) {
  return catalog.gpuTypes.map(({ id, displayName }) => {
    const { level } = stockOfType(id, capacity, { ...input, dataCenterId });
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

/** A machine without a declared country matches every country of the catalog. */
function countryCodes({ dataCenters }: Catalog, { places }: Capacity): string[] {
  const declared = places.map(({ inventory }) => inventory.countryCode);
  const known = declared.filter((code) => code !== null);
  const all = declared.includes(null) ? dataCenters.map(({ countryCode }) => countryCode) : [];
  return [...new Set([...known, ...all])].sort();
}

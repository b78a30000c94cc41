// The GraphQL views of what the catalog offers: GPU types, CPU flavors and data centers.

import {
  type Catalog,
  type CpuFlavor,
  type DataCenter,
  type GpuType,
  onDemandPrice,
} from "../../../domain/catalog/catalog.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import { dollars } from "../../management/billing/dollars.ts";
import type { GpuLowestPriceInput } from "../schema/types.generated.ts";
import { lowestPrice } from "./lowest-price.ts";

export function graphqlGpuType(catalog: Catalog, type: GpuType, capacity: Capacity) {
  const { prices } = type;
  const maxGpuCount = capacity.maxGpus.get(type.id) ?? 0;
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
    nodeGroupDatacenters: clusterDataCentersOf(catalog, type, capacity),
    securePrice: dollars(prices.secure),
    communityPrice: dollars(prices.community),
    clusterPrice: dollars(onDemandPrice(type, "ALL")),
    secureSpotPrice: dollars(prices.secureSpot),
    communitySpotPrice: dollars(prices.communitySpot),
    threeMonthPrice: prices.threeMonth === null ? null : dollars(prices.threeMonth),
    sixMonthPrice: prices.sixMonth === null ? null : dollars(prices.sixMonth),
    lowestPrice: ({ input }: { input?: GpuLowestPriceInput | null }) =>
      lowestPrice(catalog, type, capacity, input),
  };
}

function clusterDataCentersOf({ dataCenters }: Catalog, { id }: GpuType, capacity: Capacity) {
  const there = capacity.clusterDataCenters.get(id);
  if (!there) return [];
  const open = there.has(null) ? dataCenters : dataCenters.filter((each) => there.has(each.id));
  return open.map(graphqlDataCenter);
}

/** Clients plan disks by it. Freehold does not enforce it. */
const DISK_GB_PER_VCPU = 10;

export function graphqlCpuFlavor({ id, displayName, vcpuCounts, ramGbPerVcpu }: CpuFlavor) {
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

export function graphqlDataCenter({ id, location }: DataCenter) {
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

// Billing records of all kinds of resources in one form.

import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Schema, type SchemaV2 } from "../../api/client.ts";
import { serviceNow } from "../../service-clock.ts";

export type Kind = "all" | "pods" | "endpoints" | "volumes";
export type Bucket = "hour" | "day" | "week" | "month";

export interface Spend {
  /** The start of the bucket. */
  time: string;
  /** Empty for a kind of resource. */
  resourceId: string;
  /** The id if the resource is deleted or has no name. */
  name: string;
  amount: number;
  timeBilledMs: number | null;
  diskSpaceBilledGb: number | null;
}

const DAY_MS = 86_400_000;
const days: Record<Bucket, number> = { hour: 2, day: 30, week: 182, month: 365 };

/** A whole day, so that the query key is stable for a day. */
export function startOf(bucket: Bucket): string {
  const today = Math.floor(serviceNow() / DAY_MS) * DAY_MS;
  return new Date(today - days[bucket] * DAY_MS).toISOString();
}

export function useSpending(kind: Kind, bucket: Bucket) {
  const time = { bucketSize: bucket, startTime: startOf(bucket) };
  const all = api.useQuery(
    "get",
    "/v2/billing",
    { params: { query: time } },
    { enabled: kind === "all", select: ({ records }) => records.flatMap(spendsByKind) },
  );
  const pods = api.useQuery(
    "get",
    "/v1/billing/pods",
    { params: { query: { ...time, grouping: "podId" as const } } },
    { enabled: kind === "pods", select: (records) => records.map(spendOf) },
  );
  const endpoints = api.useQuery(
    "get",
    "/v1/billing/endpoints",
    { params: { query: { ...time, grouping: "endpointId" as const } } },
    { enabled: kind === "endpoints", select: (records) => records.map(spendOf) },
  );
  const volumes = api.useQuery(
    "get",
    "/v2/billing/network-volumes",
    { params: { query: time } },
    { enabled: kind === "volumes", select: ({ records }) => records.map(volumeSpendOf) },
  );
  const query = { all, pods, endpoints, volumes }[kind];
  const names = useNames(kind);
  const data = useMemo(
    () =>
      query.data?.map((spend) => ({ ...spend, name: names.get(spend.resourceId) ?? spend.name })),
    [query.data, names],
  );
  return { ...query, data } as UseQueryResult<Spend[], unknown>;
}

function useNames(kind: Kind): ReadonlyMap<string, string> {
  const of = (each: Kind) => ({ enabled: kind === each });
  const { data: pods } = api.useQuery("get", "/v1/pods", undefined, of("pods"));
  const { data: endpoints } = api.useQuery("get", "/v1/endpoints", undefined, of("endpoints"));
  const { data: volumes } = api.useQuery("get", "/v1/networkvolumes", undefined, of("volumes"));
  const named = { all: undefined, pods, endpoints, volumes }[kind];
  return useMemo(() => new Map(named?.map(({ id, name }) => [id, name || id])), [named]);
}

/** The kinds of a record that cost something. */
function spendsByKind(record: SchemaV2["BillingRecord"]): Spend[] {
  const amounts = {
    Pods: record.podGpuAmount + record.podCpuAmount + record.podDiskAmount,
    Endpoints:
      record.serverlessGpuAmount + record.serverlessCpuAmount + record.serverlessDiskAmount,
    "Network volumes": record.storageStandardAmount + record.storageHighPerformanceAmount,
    Clusters: record.clusterGpuAmount + record.clusterDiskAmount,
    Sandboxes: record.sandboxAmount,
  };
  return Object.entries(amounts)
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => {
      const none = { timeBilledMs: null, diskSpaceBilledGb: null };
      return { time: record.startTime, resourceId: "", name, amount, ...none };
    });
}

function spendOf(record: Schema["BillingRecord"]): Spend {
  const { time, amount, timeBilledMs, diskSpaceBilledGb } = record;
  const resourceId = record.podId ?? record.endpointId ?? "";
  return { time, resourceId, name: resourceId, amount, timeBilledMs, diskSpaceBilledGb };
}

function volumeSpendOf(record: Schema["VolumeBillingRecord"]): Spend {
  const { startTime: time, networkVolumeId: resourceId, totalAmount: amount } = record;
  const none = { timeBilledMs: null, diskSpaceBilledGb: null };
  return { time, resourceId, name: resourceId, amount, ...none };
}

/** The address of the same records as CSV; there is none for all kinds together. */
export function csvUrl(kind: Exclude<Kind, "all">, bucket: Bucket): string {
  const grouping = { pods: "&grouping=podId", endpoints: "&grouping=endpointId", volumes: "" }[
    kind
  ];
  const path = kind === "volumes" ? "networkvolumes" : kind;
  const start = encodeURIComponent(startOf(bucket));
  return `/v1/billing/${path}?format=csv&bucketSize=${bucket}&startTime=${start}${grouping}`;
}

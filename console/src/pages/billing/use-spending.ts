// Billing records of all kinds of resources in one form.

import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Schema, type SchemaV2 } from "../../api/client.ts";
import { serviceNow } from "../../service-clock.ts";
import { DAY_MS } from "../../time-units.ts";

export const resourceLabels = {
  pods: "Pods",
  endpoints: "Endpoints",
  volumes: "Volumes",
  clusters: "Clusters",
  sandboxes: "Sandboxes",
} as const;

export type ResourceKind = keyof typeof resourceLabels;
export type Kind = "all" | ResourceKind;
export type Bucket = "hour" | "day" | "week" | "month";

export interface Spend {
  /** The start of the bucket. */
  time: string;
  /** The kind of its resource. */
  kind: ResourceKind;
  /** Empty for all resources of the kind. */
  resourceId: string;
  /** The id if the resource is deleted or has no name. */
  name: string;
  amount: number;
  timeBilledMs: number | null;
  diskSpaceBilledGb: number | null;
}

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
    { enabled: kind === "pods", select: (records) => records.map(podSpend) },
  );
  const endpoints = api.useQuery(
    "get",
    "/v1/billing/endpoints",
    { params: { query: { ...time, grouping: "endpointId" as const } } },
    { enabled: kind === "endpoints", select: (records) => records.map(endpointSpend) },
  );
  const volumes = api.useQuery(
    "get",
    "/v2/billing/network-volumes",
    { params: { query: time } },
    { enabled: kind === "volumes", select: ({ records }) => records.map(volumeSpend) },
  );
  const clusters = api.useQuery(
    "get",
    "/v2/billing/clusters",
    { params: { query: time } },
    { enabled: kind === "clusters", select: ({ records }) => records.map(clusterSpend) },
  );
  const sandboxes = api.useQuery(
    "get",
    "/v2/billing/sandboxes",
    { params: { query: time } },
    { enabled: kind === "sandboxes", select: ({ records }) => records.map(sandboxSpend) },
  );
  const query = { all, pods, endpoints, volumes, clusters, sandboxes }[kind];
  const names = useNames(kind);
  const data = useMemo(
    () =>
      query.data?.map((spend) => ({ ...spend, name: names.get(spend.resourceId) ?? spend.name })),
    [query.data, names],
  );
  return { ...query, data } as UseQueryResult<Spend[], unknown>;
}

export function useNames(kind: Kind): ReadonlyMap<string, string> {
  const of = (each: Kind) => ({ enabled: kind === each });
  const { data: pods } = api.useQuery("get", "/v1/pods", undefined, of("pods"));
  const { data: endpoints } = api.useQuery("get", "/v1/endpoints", undefined, of("endpoints"));
  const { data: volumes } = api.useQuery("get", "/v1/networkvolumes", undefined, of("volumes"));
  const { data: clusters } = api.useQuery("get", "/v2/clusters", undefined, of("clusters"));
  const { data: sandboxes } = api.useQuery("get", "/v2/sandboxes", undefined, of("sandboxes"));
  const named: { id: string; name?: string }[] | undefined = {
    all: undefined,
    pods,
    endpoints,
    volumes,
    clusters: clusters?.clusters,
    sandboxes: sandboxes?.sandboxes,
  }[kind];
  return useMemo(() => new Map(named?.map(({ id, name }) => [id, name || id])), [named]);
}

/** The kinds of a record that cost something. */
function spendsByKind(record: SchemaV2["BillingRecord"]): Spend[] {
  const amounts: Record<ResourceKind, number> = {
    pods: record.podGpuAmount + record.podCpuAmount + record.podDiskAmount,
    endpoints:
      record.serverlessGpuAmount + record.serverlessCpuAmount + record.serverlessDiskAmount,
    volumes: record.storageStandardAmount + record.storageHighPerformanceAmount,
    clusters: record.clusterGpuAmount + record.clusterDiskAmount,
    sandboxes: record.sandboxAmount,
  };
  return (Object.keys(amounts) as ResourceKind[])
    .filter((kind) => amounts[kind] > 0)
    .map((kind) => ({
      ...reportSpend(kind, "", { ...record, totalAmount: amounts[kind] }),
      name: resourceLabels[kind],
    }));
}

const podSpend = ({ podId = "", ...record }: Schema["BillingRecord"]) =>
  spendOf("pods", podId, record);

const endpointSpend = ({ endpointId = "", ...record }: Schema["BillingRecord"]) =>
  spendOf("endpoints", endpointId, record);

function spendOf(
  kind: ResourceKind,
  resourceId: string,
  { time, amount, timeBilledMs, diskSpaceBilledGb }: Schema["BillingRecord"],
): Spend {
  return { kind, time, resourceId, name: resourceId, amount, timeBilledMs, diskSpaceBilledGb };
}

interface ReportRow {
  startTime: string;
  totalAmount: number;
}

const volumeSpend = (row: ReportRow & { networkVolumeId: string }) =>
  reportSpend("volumes", row.networkVolumeId, row);

const clusterSpend = (row: ReportRow & { clusterId: string }) =>
  reportSpend("clusters", row.clusterId, row);

const sandboxSpend = (row: ReportRow & { sandboxId: string }) =>
  reportSpend("sandboxes", row.sandboxId, row);

function reportSpend(
  kind: ResourceKind,
  resourceId: string,
  { startTime: time, totalAmount: amount }: ReportRow,
): Spend {
  const none = { timeBilledMs: null, diskSpaceBilledGb: null };
  return { kind, time, resourceId, name: resourceId, amount, ...none };
}

/** The kinds of which the same records are offered as CSV. */
export const csvKinds = ["pods", "endpoints", "volumes"] as const;

/** The address of the same records as CSV. */
export function csvUrl(kind: (typeof csvKinds)[number], bucket: Bucket): string {
  const grouping = { pods: "&grouping=podId", endpoints: "&grouping=endpointId", volumes: "" }[
    kind
  ];
  const path = kind === "volumes" ? "networkvolumes" : kind;
  const start = encodeURIComponent(startOf(bucket));
  return `/v1/billing/${path}?format=csv&bucketSize=${bucket}&startTime=${start}${grouping}`;
}

// Billing records of all kinds of resources in one form.

import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Schema } from "../../api/client.ts";

export type Kind = "pods" | "endpoints" | "volumes";
export type Bucket = "hour" | "day" | "week" | "month";

export interface Spend {
  /** The start of the bucket. */
  time: string;
  resourceId: string;
  /** The id if the resource has no name or is deleted. */
  name: string;
  amount: number;
  timeBilledMs: number | null;
  diskSpaceBilledGb: number;
}

const DAY_MS = 86_400_000;
const days: Record<Bucket, number> = { hour: 2, day: 30, week: 182, month: 365 };

/** A whole day, so that the query key is stable for a day. */
function startOf(bucket: Bucket): string {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return new Date(today - days[bucket] * DAY_MS).toISOString();
}

export function useSpending(kind: Kind, bucket: Bucket) {
  const time = { bucketSize: bucket, startTime: startOf(bucket) };
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
    "/v1/billing/networkvolumes",
    { params: { query: time } },
    { enabled: kind === "volumes", select: (records) => records.map(volumeSpendOf) },
  );
  const query = { pods, endpoints, volumes }[kind];
  const names = useNames(kind);
  const data = useMemo(
    () =>
      query.data?.map((spend) => ({ ...spend, name: names.get(spend.resourceId) ?? spend.name })),
    [query.data, names],
  );
  return { ...query, data } as UseQueryResult<Spend[], unknown>;
}

function useNames(kind: Kind): ReadonlyMap<string, string> {
  const { data: pods } = api.useQuery("get", "/v1/pods", undefined, { enabled: kind === "pods" });
  const { data: endpoints } = api.useQuery("get", "/v1/endpoints", undefined, {
    enabled: kind === "endpoints",
  });
  const all = kind === "pods" ? pods : endpoints;
  return useMemo(() => new Map(all?.map(({ id, name }) => [id, name || id])), [all]);
}

function spendOf(record: Schema["BillingRecord"]): Spend {
  const { time, amount, timeBilledMs, diskSpaceBilledGb } = record;
  const resourceId = record.podId ?? record.endpointId ?? record.gpuTypeId ?? "";
  return {
    time,
    resourceId: resourceId,
    name: resourceId,
    amount,
    timeBilledMs,
    diskSpaceBilledGb,
  };
}

function volumeSpendOf(record: Schema["NetworkVolumeBillingRecord"]): Spend {
  const { time, amount, diskSpaceBilledGb } = record;
  const resourceId = "Network volumes";
  return {
    time,
    resourceId: resourceId,
    name: resourceId,
    amount,
    timeBilledMs: null,
    diskSpaceBilledGb,
  };
}

/** The address of the same records as CSV. */
export function csvUrl(kind: Kind, bucket: Bucket): string {
  const grouping = { pods: "&grouping=podId", endpoints: "&grouping=endpointId", volumes: "" }[
    kind
  ];
  const path = kind === "volumes" ? "networkvolumes" : kind;
  const start = encodeURIComponent(startOf(bucket));
  return `/v1/billing/${path}?format=csv&bucketSize=${bucket}&startTime=${start}${grouping}`;
}

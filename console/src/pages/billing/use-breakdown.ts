// What one resource cost in each day, or in each hour of a day, by what the costs are for.

import type { UseQueryResult } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { serviceNow } from "../../service-clock.ts";
import { DAY_MS } from "../../time-units.ts";
import type { ResourceKind } from "./use-spending.ts";

export interface CostBucket {
  /** Start of the day or hour. */
  time: string;
  /** In micro-dollars, by the label of what they are for. */
  parts: Record<string, number>;
  totalMicros: number;
}

const MAX_DAYS = 366;

const partLabels: Record<string, string> = {
  gpuAmount: "GPU",
  cpuAmount: "CPU",
  diskAmount: "Disk",
  standardAmount: "Standard storage",
  highPerformanceAmount: "Fast storage",
};

/** The hours of the day, which is a date in UTC; the days of the last year if it is empty. */
export function useBreakdown(
  kind: ResourceKind,
  id: string,
  day: string,
): UseQueryResult<CostBucket[], unknown> {
  const time = day ? hoursOf(day) : lastDays();
  const of = (each: ResourceKind) => ({
    enabled: kind === each,
    select: ({ records }: { records: BillingRow[] }) => records.map(costBucket),
  });
  const query = <Filter extends string>(filter: Filter) => ({
    params: { query: { ...time, [filter]: [id] } as typeof time & Record<Filter, string[]> },
  });
  const pods = api.useQuery("get", "/v2/billing/pods", query("podId"), of("pods"));
  const endpoints = api.useQuery(
    "get",
    "/v2/billing/serverless",
    query("serverlessId"),
    of("endpoints"),
  );
  const volumes = api.useQuery(
    "get",
    "/v2/billing/network-volumes",
    query("networkVolumeId"),
    of("volumes"),
  );
  const clusters = api.useQuery("get", "/v2/billing/clusters", query("clusterId"), of("clusters"));
  const sandboxes = api.useQuery(
    "get",
    "/v2/billing/sandboxes",
    query("sandboxId"),
    of("sandboxes"),
  );
  return { pods, endpoints, volumes, clusters, sandboxes }[kind];
}

interface BillingRow {
  startTime: string;
  totalAmount: number;
}

function costBucket(row: BillingRow): CostBucket {
  const amounts = Object.entries(row).filter(([name]) => name in partLabels);
  return {
    time: row.startTime,
    parts: Object.fromEntries(
      amounts.map(([name, amount]) => [partLabels[name]!, microsOf(amount)]),
    ),
    totalMicros: microsOf(row.totalAmount),
  };
}

const microsOf = (dollars: number) => Math.round(dollars * 1e6);

/** Whole days, so that the query key is stable for a day. */
function lastDays() {
  const today = Math.floor(serviceNow() / DAY_MS) * DAY_MS;
  const startTime = new Date(today - MAX_DAYS * DAY_MS).toISOString();
  return { bucketSize: "day" as const, startTime };
}

function hoursOf(day: string) {
  const start = Date.parse(`${day}T00:00:00Z`);
  return {
    bucketSize: "hour" as const,
    startTime: new Date(start).toISOString(),
    // The last bucket is whole, so the end lies within it.
    endTime: new Date(start + DAY_MS - 1).toISOString(),
  };
}

export const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

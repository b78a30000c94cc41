// The records of what was spent, whatever it was spent on, in one form.

import { api, type Schema } from "../../api/client.ts";

export type Kind = "pods" | "endpoints" | "volumes";
export type Bucket = "hour" | "day" | "week" | "month";

export interface Spend {
  /** When its bucket began. */
  time: string;
  on: string;
  amount: number;
  timeBilledMs: number | null;
  diskSpaceBilledGb: number;
}

const DAY_MS = 86_400_000;
const days: Record<Bucket, number> = { hour: 2, day: 30, week: 182, month: 365 };

/** To the day, so that it is the same question until tomorrow. */
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
  return { pods, endpoints, volumes }[kind];
}

function spendOf(record: Schema["BillingRecord"]): Spend {
  const { time, amount, timeBilledMs, diskSpaceBilledGb } = record;
  const on = record.podId ?? record.endpointId ?? record.gpuTypeId ?? "";
  return { time, on, amount, timeBilledMs, diskSpaceBilledGb };
}

function volumeSpendOf(record: Schema["NetworkVolumeBillingRecord"]): Spend {
  const { time, amount, diskSpaceBilledGb } = record;
  return { time, on: "Network volumes", amount, timeBilledMs: null, diskSpaceBilledGb };
}

/** The same records as a file. */
export function csvOf(kind: Kind, bucket: Bucket): string {
  const grouping = { pods: "&grouping=podId", endpoints: "&grouping=endpointId", volumes: "" }[
    kind
  ];
  const path = kind === "volumes" ? "networkvolumes" : kind;
  const start = encodeURIComponent(startOf(bucket));
  return `/v1/billing/${path}?format=csv&bucketSize=${bucket}&startTime=${start}${grouping}`;
}

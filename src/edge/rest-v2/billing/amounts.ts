// The amounts of a billing report, from what costs are for.

import type { TProperties } from "typebox";
import {
  allAmounts,
  clusterAmounts,
  podAmounts,
  publicEndpointAmounts,
  sandboxAmounts,
  serverlessAmounts,
  volumeAmounts,
} from "../../../contract/rest-v2/billing/report.ts";
import type { SpendRecord } from "../../../flows/billing/history.ts";
import type { ReportRow } from "./report.ts";

const keysOf = <Amounts extends TProperties>(amounts: Amounts) =>
  Object.keys(amounts) as (keyof Amounts & string)[];

export const names = {
  pod: keysOf(podAmounts),
  sandbox: keysOf(sandboxAmounts),
  serverless: keysOf(serverlessAmounts),
  volume: keysOf(volumeAmounts),
  publicEndpoint: keysOf(publicEndpointAmounts),
  cluster: keysOf(clusterAmounts),
  all: keysOf(allAmounts),
};

type Names = { [Kind in keyof typeof names]: (typeof names)[Kind][number] };

export function podRow({ at, group, micros, parts }: SpendRecord): ReportRow<Names["pod"]> {
  const { gpu, cpu, disk } = parts;
  const amounts = { totalAmount: micros, gpuAmount: gpu, cpuAmount: cpu, diskAmount: disk };
  return { at, id: group ?? "", amounts };
}

export function sandboxRow({ at, group, micros, parts }: SpendRecord): ReportRow<Names["sandbox"]> {
  const { cpu, disk } = parts;
  return {
    at,
    id: group ?? "",
    amounts: { totalAmount: micros, cpuAmount: cpu, diskAmount: disk },
  };
}

export function serverlessRow(record: SpendRecord): ReportRow<Names["serverless"]> {
  const { amounts, ...row } = podRow(record);
  return { ...row, amounts: { ...amounts, feeAmount: 0 } };
}

/** The Pods of a cluster always have GPUs, and the traffic between them costs nothing. */
export function clusterRow({ at, group, micros, parts }: SpendRecord): ReportRow<Names["cluster"]> {
  const { gpu, disk } = parts;
  const amounts = { totalAmount: micros, gpuAmount: gpu, diskAmount: disk, networkingAmount: 0 };
  return { at, id: group ?? "", amounts };
}

export function volumeRow({ at, group, micros, parts }: SpendRecord): ReportRow<Names["volume"]> {
  const { standard, highPerformance } = parts;
  const amounts = {
    totalAmount: micros,
    standardAmount: standard,
    highPerformanceAmount: highPerformance,
  };
  return { at, id: group ?? "", amounts };
}

const none = Object.fromEntries(names.all.map((name) => [name, 0])) as Record<Names["all"], number>;

/** The row of a record in a report of everything, by the kind of its resource. */
export const rowOfAll = {
  pod: ({ at, micros, parts }: SpendRecord) =>
    allRow(at, {
      totalAmount: micros,
      podGpuAmount: parts.gpu,
      podCpuAmount: parts.cpu,
      podDiskAmount: parts.disk,
    }),
  cluster: ({ at, micros, parts }: SpendRecord) =>
    allRow(at, {
      totalAmount: micros,
      clusterGpuAmount: parts.gpu,
      clusterDiskAmount: parts.disk,
    }),
  sandbox: ({ at, micros }: SpendRecord) =>
    allRow(at, { totalAmount: micros, sandboxAmount: micros }),
  worker: ({ at, micros, parts }: SpendRecord) =>
    allRow(at, {
      totalAmount: micros,
      serverlessGpuAmount: parts.gpu,
      serverlessCpuAmount: parts.cpu,
      serverlessDiskAmount: parts.disk,
    }),
  volume: ({ at, micros, parts }: SpendRecord) =>
    allRow(at, {
      totalAmount: micros,
      storageStandardAmount: parts.standard,
      storageHighPerformanceAmount: parts.highPerformance,
    }),
};

function allRow(
  at: number,
  amounts: Partial<Record<Names["all"], number>>,
): ReportRow<Names["all"]> {
  return { at, id: "", amounts: { ...none, ...amounts } };
}

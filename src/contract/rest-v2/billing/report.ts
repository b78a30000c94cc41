// Billing reports: costs in time buckets, split by what they are for.

import Type, { type TProperties } from "typebox";
import { instant } from "../../fields.ts";

const amount = (description: string) => Type.Number({ description: `Dollars for ${description}.` });
const none = (description: string) =>
  Type.Number({ description: `Always 0: ${description}.`, deprecated: true });

const total = { totalAmount: amount("everything in the record") };

export const podAmounts = {
  ...total,
  gpuAmount: amount("GPUs"),
  cpuAmount: amount("CPUs"),
  diskAmount: amount("container disks and volumes"),
};

export const serverlessAmounts = {
  ...total,
  gpuAmount: amount("GPUs"),
  cpuAmount: amount("CPUs"),
  diskAmount: amount("disks"),
  feeAmount: none("there is no fee"),
};

export const volumeAmounts = {
  ...total,
  standardAmount: amount("volumes of the class STANDARD"),
  highPerformanceAmount: amount("volumes of the class HIGH_PERFORMANCE"),
};

/** Public endpoints belong to the hosted service. */
export const publicEndpointAmounts = {
  totalAmount: Type.Number({ description: "Always 0: there are no public endpoints." }),
};

export const sandboxAmounts = {
  ...total,
  cpuAmount: amount("CPUs"),
  diskAmount: amount("disks"),
};

export const clusterAmounts = {
  ...total,
  gpuAmount: amount("GPUs"),
  diskAmount: amount("disks"),
  networkingAmount: amount("networking"),
};

export const allAmounts = {
  ...total,
  podGpuAmount: amount("GPUs of Pods"),
  podCpuAmount: amount("CPUs of Pods"),
  podDiskAmount: amount("disks of Pods"),
  serverlessGpuAmount: amount("GPUs of workers"),
  serverlessCpuAmount: amount("CPUs of workers"),
  serverlessDiskAmount: amount("disks of workers"),
  serverlessFeeAmount: none("there is no fee"),
  storageStandardAmount: amount("network volumes of the class STANDARD"),
  storageHighPerformanceAmount: amount("network volumes of the class HIGH_PERFORMANCE"),
  endpointAmount: publicEndpointAmounts.totalAmount,
  sandboxAmount: amount("sandboxes"),
  clusterGpuAmount: amount("GPUs of clusters"),
  clusterDiskAmount: amount("disks of clusters"),
  clusterNetworkingAmount: amount("networking of clusters"),
};

export const bucketSize = Type.Enum(["hour", "day", "week", "month", "year"], {
  default: "day",
  description: "Bucket size, in UTC; a week begins on Monday.",
});

const bucket = {
  startTime: { ...instant, description: "Start of the bucket." },
  endTime: { ...instant, description: "End of the bucket, exclusive." },
};

const query = {
  startTime: { ...instant, description: "Start of the first bucket." },
  endTime: { ...instant, description: "End of the last bucket, exclusive." },
  bucketSize,
};

interface ReportParts<
  Amounts extends TProperties,
  Ids extends TProperties,
  Filters extends TProperties,
  Counts extends TProperties,
> {
  title: string;
  amounts: Amounts;
  ids: Ids;
  filters: Filters;
  counts: Counts;
}

export function report<
  Amounts extends TProperties,
  Ids extends TProperties,
  Filters extends TProperties,
  Counts extends TProperties,
>({ title, amounts, ids, filters, counts }: ReportParts<Amounts, Ids, Filters, Counts>) {
  return Type.Object(
    {
      records: Type.Array(
        Type.Object({ ...bucket, ...amounts, ...ids }, { title: `${title}Record` }),
      ),
      metadata: Type.Object(
        {
          query: Type.Object({ ...query, ...filters }),
          recordCount: Type.Integer(),
          ...counts,
          totals: Type.Object(amounts, { title: `${title}Amounts` }),
        },
        { title: `${title}Metadata` },
      ),
    },
    { title: `${title}Report` },
  );
}

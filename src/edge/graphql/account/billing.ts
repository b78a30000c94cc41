// What an account was billed, in buckets.

import { MAX_INTEGER } from "../../../contract/fields.ts";
import { type BucketSize, bucketEnd } from "../../../domain/money/buckets.ts";
import { type CostParts, noCost } from "../../../domain/money/parts.ts";
import {
  type BillingHistoryQuery,
  type SpendRecord,
  spendHistory,
} from "../../../flows/billing/history.ts";
import type { StandingDeps } from "../../../flows/billing/standing.ts";
import { partsByBucket, sumByGroup } from "../../../flows/billing/sum-records.ts";
import { lastBuckets } from "../../../flows/billing/window.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import type { BillingGranularity, UserBillingInput } from "../schema/types.generated.ts";
import { coversBilling } from "../view/user-view.ts";

/** The size of a bucket, and how many are shown. */
const BUCKETS: Record<BillingGranularity, readonly [size: BucketSize, count: number]> = {
  HOURLY: ["hour", 720],
  DAILY: ["day", 30],
  WEEKLY: ["week", 12],
  MONTHLY: ["month", 12],
};

export async function readBilling(
  context: GraphqlContext<StandingDeps>,
  { granularity }: UserBillingInput,
) {
  if (!coversBilling(context)) return null;
  const { deps } = context;
  const accountId = accountFor(context, "read", "billing");
  const [bucketSize, count] = BUCKETS[granularity ?? "DAILY"];
  const { from, to } = lastBuckets(bucketSize, count, deps.clock.now());
  const window = { bucketSize, startTime: from, endTime: to };
  const read = (
    kind: BillingHistoryQuery["kind"],
    grouping: BillingHistoryQuery["grouping"] = "gpuTypeId",
  ) => spendHistory(deps, { accountId, kind, grouping, resourceIds: null, filters: {}, ...window });
  const [pods, clusters, sandboxes, workers, volumes, endpoints] = await Promise.all([
    read("pod"),
    read("cluster"),
    read("sandbox"),
    read("worker"),
    read("volume"),
    read("worker", "endpointId"),
  ] as const);
  const withGpus = [...pods, ...clusters].filter(hasGpus);
  const withoutGpus = [...pods, ...sandboxes].filter((record) => !hasGpus(record));
  const groups = [withGpus, withoutGpus, workers, volumes].map(partsByBucket);
  const sums = bucketsIn(bucketSize, from, to).map((at) => {
    const [gpu, cpu, serverless, network] = groups.map((parts) => parts.get(at) ?? noCost);
    return { at, gpu: gpu!, cpu: cpu!, serverless: serverless!, network: network! };
  });
  return {
    summary: sums.map(summaryOf),
    storage: sums.map(storageOf),
    gpuCloud: sumByGroup(withGpus).map((record) => ({
      gpuTypeId: record.group!,
      ...billedOf(record),
    })),
    cpuCloud: sumByGroup(withoutGpus.map((record) => ({ ...record, group: null }))).map(billedOf),
    runpodEndpoint: [],
    serverless: endpoints.map((record) => ({ endpointId: record.group!, ...billedOf(record) })),
  };
}

/** The group is the GPU type. */
const hasGpus = ({ group }: SpendRecord) => group !== null && group !== "";

interface BucketSums {
  at: number;
  gpu: CostParts;
  cpu: CostParts;
  serverless: CostParts;
  network: CostParts;
}

function summaryOf({ at, gpu, cpu, serverless, network }: BucketSums) {
  return {
    time: at,
    gpuCloudAmount: dollars(gpu.gpu),
    cpuCloudAmount: dollars(cpu.cpu),
    serverlessAmount: dollars(serverless.gpu + serverless.cpu),
    storageAmount: dollars(gpu.disk + cpu.disk + serverless.disk + networkOf(network)),
    runpodEndpointAmount: 0,
  };
}

function storageOf({ at, gpu, cpu, serverless, network }: BucketSums) {
  return {
    time: at,
    amount: dollars(gpu.disk + cpu.disk + serverless.disk + networkOf(network)),
    networkStorageAmount: dollars(networkOf(network)),
    gpuStorageAmount: dollars(gpu.disk),
    cpuStorageAmount: dollars(cpu.disk),
    slsStorageAmount: dollars(serverless.disk),
  };
}

const networkOf = ({ standard, highPerformance }: CostParts) => standard + highPerformance;

/** Many Pods that run all the month have more seconds than an integer of GraphQL can carry; those are the largest one. */
export const billedOf = ({ at, micros, runMs }: Pick<SpendRecord, "at" | "micros" | "runMs">) => ({
  time: at,
  timeBilledSeconds: Math.min(Math.round(runMs / 1_000), MAX_INTEGER),
  amount: dollars(micros),
});

function bucketsIn(size: BucketSize, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at = bucketEnd(size, at)) starts.push(at);
  return starts;
}

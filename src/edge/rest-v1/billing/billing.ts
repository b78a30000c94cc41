// Routes of /v1/billing and /v1/balance.

import type { FastifyInstance, FastifyReply } from "fastify";
import { type Balance, billingOperations } from "../../../contract/rest-v1/billing/billing.ts";
import { canonicalGpuType } from "../../../domain/catalog/catalog.ts";
import type { BucketSize } from "../../../domain/money/buckets.ts";
import { addCredit } from "../../../flows/billing/credit.ts";
import {
  type BillingHistoryQuery,
  type SpendRecord,
  spendHistory,
} from "../../../flows/billing/history.ts";
import {
  type AccountStanding,
  type StandingDeps,
  standing,
} from "../../../flows/billing/standing.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { memberNames } from "../../../flows/member/names.ts";
import { dollars, microsOf } from "../../management/billing/dollars.ts";
import { groupFields, groupingOf } from "../../management/billing/grouping.ts";
import type { CatalogDeps } from "../../management/deps.ts";
import { csv } from "../../management/serve/csv.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { type OperationRequest, serveOperations } from "../../management/serve/serve.ts";

export function billingRoutes(app: FastifyInstance, deps: CatalogDeps & StandingDeps): void {
  serveOperations(app, billingOperations, {
    podBilling: (request) => podBilling(deps, request),
    endpointBilling: (request) => endpointBilling(deps, request),
    networkVolumeBilling: (request) => volumeBilling(deps, request),
    getBalance: async ({ accountId }) => balanceRead(await standing(deps, accountId)),
    async addCredit({ accountId, body, once }) {
      const { amount, note = "" } = body;
      const credit = { by: accountId, accountId, micros: microsOf(amount, "amount"), note, once };
      return balanceRead(await addCredit(deps, credit));
    },
  });
}

export function balanceRead({
  balance,
  perHour,
  limited,
  emptyAt,
  lowSince,
  terminateAt,
}: AccountStanding): Balance {
  const instants = present({ emptyAt, lowSince, terminateAt });
  return { balance: dollars(balance), spendPerHr: dollars(perHour), limited, ...instants };
}

type BillingRequest<Name extends keyof typeof billingOperations> = OperationRequest<
  (typeof billingOperations)[Name]
>;

async function podBilling(
  deps: CatalogDeps,
  { accountId, query, reply }: BillingRequest<"podBilling">,
) {
  const { grouping = "gpuTypeId", podId = null, gpuTypeId } = query;
  const records = await spendHistory(deps, {
    ...windowOf(query),
    accountId,
    kind: "pod",
    grouping: groupingOf(grouping),
    resourceIds: podId === null ? null : [podId],
    filters: definedFilters({
      gpuTypeId: gpuTypeId?.map((id) => canonicalGpuType(deps.catalog, id)),
    }),
  });
  return answer(reply, query, await grouped(deps, records, grouping, read));
}

async function endpointBilling(
  deps: CatalogDeps,
  { accountId, query, reply }: BillingRequest<"endpointBilling">,
) {
  const { grouping = "endpointId" } = query;
  const records = await spendHistory(deps, {
    ...windowOf(query),
    accountId,
    kind: "worker",
    grouping: groupingOf(grouping),
    resourceIds: null,
    filters: definedFilters({
      endpointId: query.endpointId,
      dataCenterId: query.dataCenterId,
      gpuTypeId: query.gpuTypeId?.map((id) => canonicalGpuType(deps.catalog, id)),
      imageName: query.imageName,
      templateId: query.templateId,
    }),
  });
  return answer(reply, query, await grouped(deps, records, grouping, read));
}

async function volumeBilling(deps: FlowDeps, request: BillingRequest<"networkVolumeBilling">) {
  const { accountId, query, reply } = request;
  const { grouping } = query;
  const records = await spendHistory(deps, {
    ...windowOf(query),
    accountId,
    kind: "volume",
    grouping: grouping === undefined ? "none" : groupingOf(grouping),
    resourceIds: null,
    filters: {},
  });
  const rows = grouping
    ? await grouped(deps, records, grouping, volumeRead)
    : records.map(volumeRead);
  return answer(reply, query, rows);
}

function volumeRead(record: SpendRecord) {
  const { amount, time, diskSpaceBilledGb } = read(record);
  return {
    amount,
    time,
    diskSpaceBilledGb,
    highPerformanceStorageAmount: dollars(record.parts.highPerformance),
    highPerformanceStorageDiskSpaceBilledGb: record.fastDiskGb,
  };
}

interface WindowQuery {
  bucketSize?: BucketSize;
  startTime?: string;
  endTime?: string;
  format?: "json" | "csv";
}

function windowOf({ bucketSize = "day", startTime, endTime }: WindowQuery) {
  const at = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  return { bucketSize, startTime: at(startTime), endTime: at(endTime) };
}

function read({ at, micros, runMs, diskGb }: SpendRecord) {
  const amount = dollars(micros);
  return { amount, time: instant(at), timeBilledMs: runMs, diskSpaceBilledGb: diskGb };
}

async function grouped<Row extends object>(
  deps: FlowDeps,
  records: SpendRecord[],
  grouping: string,
  readRecord: (record: SpendRecord) => Row,
) {
  const ids = grouping === "createdBy" ? records.flatMap(({ group }) => group ?? []) : [];
  const names = await memberNames(deps, ids);
  return records.map((each) => ({
    ...readRecord(each),
    ...groupFields(grouping, each, (id) => names.get(id)),
  }));
}

function definedFilters(
  filters: Record<string, readonly string[] | undefined>,
): BillingHistoryQuery["filters"] {
  return Object.fromEntries(Object.entries(filters).filter(([, list]) => list !== undefined));
}

function answer<Row extends object>(reply: FastifyReply, { format }: WindowQuery, rows: Row[]) {
  if (format !== "csv") return rows;
  return reply.type("text/csv; charset=utf-8").send(csv(rows));
}

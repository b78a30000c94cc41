// /v1/billing and /v1/balance.

import type { FastifyInstance, FastifyReply } from "fastify";
import { type Balance, billingOperations } from "../../contract/rest-v1/billing.ts";
import { canonicalGpuType } from "../../domain/catalog/catalog.ts";
import type { BucketSize } from "../../domain/money/buckets.ts";
import { giveCredit } from "../../flows/billing/credit.ts";
import {
  type Grouping,
  type HistoryWish,
  type SpendRecord,
  spendHistory,
} from "../../flows/billing/history.ts";
import { type AccountStanding, standing } from "../../flows/billing/standing.ts";
import { csv } from "./csv.ts";
import type { RestDeps } from "./deps.ts";
import { dollars, microsOf } from "./dollars.ts";
import { instant, present } from "./instant.ts";
import { type Ask, serve } from "./serve.ts";

export function billingRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, billingOperations, {
    podBilling: (ask) => podBilling(deps, ask),
    endpointBilling: (ask) => endpointBilling(deps, ask),
    networkVolumeBilling: (ask) => volumeBilling(deps, ask),
    getBalance: async ({ accountId }) => balanceRead(await standing(deps, accountId)),
    async addCredit({ accountId, body, once }) {
      const { amount, note = "" } = body;
      const wanted = { by: accountId, accountId, micros: microsOf(amount, "amount"), note, once };
      return balanceRead(await giveCredit(deps, wanted));
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

type Of<Name extends keyof typeof billingOperations> = Ask<(typeof billingOperations)[Name]>;

async function podBilling(deps: RestDeps, { accountId, query, reply }: Of<"podBilling">) {
  const { grouping = "gpuTypeId", podId = null, gpuTypeId } = query;
  const found = await spendHistory(deps, {
    ...windowOf(query),
    accountId,
    kind: "pod",
    grouping: groupings[grouping],
    resourceId: podId,
    among: known({ gpuTypeId: one(gpuTypeId && canonicalGpuType(deps.catalog, gpuTypeId)) }),
  });
  return answer(reply, query, grouped(found, grouping));
}

async function endpointBilling(deps: RestDeps, { accountId, query, reply }: Of<"endpointBilling">) {
  const { grouping = "endpointId" } = query;
  const found = await spendHistory(deps, {
    ...windowOf(query),
    accountId,
    kind: "worker",
    grouping: groupings[grouping],
    resourceId: null,
    among: known({
      endpointId: one(query.endpointId),
      dataCenterId: query.dataCenterId,
      gpuTypeId: query.gpuTypeId?.map((id) => canonicalGpuType(deps.catalog, id)),
      imageName: one(query.imageName),
      templateId: one(query.templateId),
    }),
  });
  return answer(reply, query, grouped(found, grouping));
}

async function volumeBilling(deps: RestDeps, ask: Of<"networkVolumeBilling">) {
  const { accountId, query, reply } = ask;
  const found = await spendHistory(deps, {
    ...windowOf(query),
    accountId,
    kind: "volume",
    grouping: "none",
    resourceId: null,
    among: {},
  });
  const none = { highPerformanceStorageAmount: 0, highPerformanceStorageDiskSpaceBilledGb: 0 };
  const records = found.map((each) => {
    const { amount, time, diskSpaceBilledGb } = read(each);
    return { amount, time, diskSpaceBilledGb, ...none };
  });
  return answer(reply, query, records);
}

const groupings: Record<"podId" | "endpointId" | "gpuTypeId", Grouping> = {
  podId: "resourceId",
  endpointId: "endpointId",
  gpuTypeId: "gpuTypeId",
};

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

function grouped(found: SpendRecord[], grouping: keyof typeof groupings) {
  return found.map((each) => ({ ...read(each), [grouping]: each.group ?? "" }));
}

const one = (wanted: string | undefined) => (wanted ? [wanted] : undefined);

function known(among: Record<string, readonly string[] | undefined>): HistoryWish["among"] {
  return Object.fromEntries(Object.entries(among).filter(([, list]) => list !== undefined));
}

function answer<Row extends object>(reply: FastifyReply, { format }: WindowQuery, rows: Row[]) {
  if (format !== "csv") return rows;
  return reply.type("text/csv; charset=utf-8").send(csv(rows));
}

// Routes of /v2/billing.

import type { FastifyInstance } from "fastify";
import { billingOperations } from "../../../contract/rest-v2/billing/billing.ts";
import { type BillingHistoryQuery, spendHistory } from "../../../flows/billing/history.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { serveRestV2 } from "../serve/serve.ts";
import {
  clusterRow,
  names,
  podRow,
  rowOfAll,
  sandboxRow,
  serverlessRow,
  volumeRow,
} from "./amounts.ts";
import {
  byBucket,
  type ReportWindow,
  reportBy,
  reportWindow,
  totalReport,
  type WindowQuery,
} from "./report.ts";

export function billingRoutes(app: FastifyInstance, deps: FlowDeps): void {
  const windowOf = (query: WindowQuery) => reportWindow(query, deps.clock.now());
  serveRestV2(app, billingOperations, {
    async getBilling({ accountId, query }) {
      const window = windowOf(query);
      const rows = await allRows(deps, accountId, window);
      return totalReport(window, byBucket(rows, names.all), names.all);
    },
    async getPodBilling({ accountId, query }) {
      const window = windowOf(query);
      const { podId: only = null } = query;
      const request = { kind: "pod", grouping: "resourceId", resourceIds: only } as const;
      const records = await spent(deps, accountId, window, request);
      const subject = { id: "podId", count: "uniquePodCount", only } as const;
      return reportBy(subject, window, records.map(podRow), names.pod);
    },
    async getSandboxBilling({ accountId, query }) {
      const window = windowOf(query);
      const { sandboxId: only = null } = query;
      const request = { kind: "sandbox", grouping: "resourceId", resourceIds: only } as const;
      const records = await spent(deps, accountId, window, request);
      const subject = { id: "sandboxId", count: "uniqueSandboxCount", only } as const;
      return reportBy(subject, window, records.map(sandboxRow), names.sandbox);
    },
    async getServerlessBilling({ accountId, query }) {
      const window = windowOf(query);
      const { serverlessId: only = null } = query;
      const filters = only === null ? {} : { endpointId: only };
      const request = { kind: "worker", grouping: "endpointId", filters } as const;
      const records = await spent(deps, accountId, window, request);
      const subject = { id: "serverlessId", count: "uniqueServerlessCount", only } as const;
      return reportBy(subject, window, records.map(serverlessRow), names.serverless);
    },
    async getNetworkVolumeBilling({ accountId, query }) {
      const window = windowOf(query);
      const { networkVolumeId: only = null } = query;
      const request = { kind: "volume", grouping: "resourceId", resourceIds: only } as const;
      const records = await spent(deps, accountId, window, request);
      const subject = { id: "networkVolumeId", count: "uniqueNetworkVolumeCount", only } as const;
      return reportBy(subject, window, records.map(volumeRow), names.volume);
    },
    getPublicEndpointBilling: async ({ query }) =>
      totalReport(windowOf(query), [], names.publicEndpoint),
    async getClusterBilling({ accountId, query }) {
      const window = windowOf(query);
      const { clusterId: only = null } = query;
      const filters = only === null ? {} : { endpointId: only };
      const request = { kind: "cluster", grouping: "endpointId", filters } as const;
      const records = await spent(deps, accountId, window, request);
      const subject = { id: "clusterId", count: "uniqueClusterCount", only } as const;
      return reportBy(subject, window, records.map(clusterRow), names.cluster);
    },
  });
}

function spent(
  deps: FlowDeps,
  accountId: string,
  window: ReportWindow,
  request: Pick<BillingHistoryQuery, "kind" | "grouping"> & Partial<BillingHistoryQuery>,
) {
  return spendHistory(deps, { accountId, resourceIds: null, filters: {}, ...window, ...request });
}

async function allRows(deps: FlowDeps, accountId: string, window: ReportWindow) {
  const kinds = ["pod", "cluster", "sandbox", "worker", "volume"] as const;
  const rows = kinds.map(async (kind) => {
    const records = await spent(deps, accountId, window, { kind, grouping: "none" });
    return records.map(rowOfAll[kind]);
  });
  return (await Promise.all(rows)).flat();
}

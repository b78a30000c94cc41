// What an account spent, by Pod, endpoint, network volume and cluster.

import Type from "typebox";
import { instant, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import {
  allAmounts,
  bucketSize,
  clusterAmounts,
  podAmounts,
  publicEndpointAmounts,
  report,
  sandboxAmounts,
  serverlessAmounts,
  volumeAmounts,
} from "./report.ts";

const window = {
  startTime: Type.Optional({
    ...instant,
    description: "Rounded down to a bucket. Default: 30 days before the end.",
  }),
  endTime: Type.Optional({
    ...instant,
    description: "Exclusive; rounded up to a bucket. Default: now.",
  }),
  bucketSize: Type.Optional(bucketSize),
  lastN: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "The last buckets with the current one, in place of startTime and endTime.",
    }),
  ),
};

const id = Type.String();
const filter = Type.Union([Type.String(), Type.Null()]);
const MAX_IDS = 100;
/** The records of several resources; the report names them in one text. */
const only = (nouns: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: MAX_IDS,
      description: `Only these ${nouns}: at most ${MAX_IDS} ids, joined by commas.`,
      [TAKES]: `one value of at most ${MAX_IDS} ids, joined by commas`,
    }),
  );
const count = Type.Integer();

const tag = "Billing";
const shared = {
  method: "GET",
  tag,
  needs: { of: "rest", access: "read", area: "billing" },
  faultStatuses: { invalid_query: 400 },
} as const;
const answer = {
  status: 200,
  description: "A record per resource and bucket with costs, oldest first.",
} as const;
const none = { ids: {}, filters: {}, counts: {} };

export const billingOperations = {
  getBilling: {
    ...shared,
    path: "/v2/billing",
    summary: "Report all costs",
    query: Type.Object(window),
    answer: {
      status: 200,
      description: "A record per bucket with costs, oldest first.",
      schema: report({ title: "Billing", amounts: allAmounts, ...none }),
    },
  },
  getPodBilling: {
    ...shared,
    path: "/v2/billing/pods",
    summary: "Report the costs of Pods",
    query: Type.Object({ ...window, podId: only("Pods") }),
    answer: {
      ...answer,
      schema: report({
        title: "PodBilling",
        amounts: podAmounts,
        ids: { podId: id },
        filters: { podId: filter },
        counts: { uniquePodCount: count },
      }),
    },
  },
  getServerlessBilling: {
    ...shared,
    path: "/v2/billing/serverless",
    summary: "Report the costs of endpoints",
    description: "The cost of an endpoint is that of its workers.",
    query: Type.Object({ ...window, serverlessId: only("endpoints") }),
    answer: {
      ...answer,
      schema: report({
        title: "ServerlessBilling",
        amounts: serverlessAmounts,
        ids: { serverlessId: id },
        filters: { serverlessId: filter },
        counts: { uniqueServerlessCount: count },
      }),
    },
  },
  getNetworkVolumeBilling: {
    ...shared,
    path: "/v2/billing/network-volumes",
    summary: "Report the costs of network volumes",
    query: Type.Object({ ...window, networkVolumeId: only("network volumes") }),
    answer: {
      ...answer,
      schema: report({
        title: "VolumeBilling",
        amounts: volumeAmounts,
        ids: { networkVolumeId: id },
        filters: { networkVolumeId: filter },
        counts: { uniqueNetworkVolumeCount: count },
      }),
    },
  },
  getPublicEndpointBilling: {
    ...shared,
    path: "/v2/billing/endpoints",
    summary: "Report the costs of public endpoints",
    description:
      "Always empty: public endpoints belong to the hosted service. For your endpoints, use /v2/billing/serverless.",
    query: Type.Object(window),
    answer: {
      ...answer,
      schema: report({ title: "PublicEndpointBilling", amounts: publicEndpointAmounts, ...none }),
    },
  },
  getSandboxBilling: {
    ...shared,
    path: "/v2/billing/sandboxes",
    summary: "Report the costs of sandboxes",
    query: Type.Object({ ...window, sandboxId: only("sandboxs") }),
    answer: {
      ...answer,
      schema: report({
        title: "SandboxBilling",
        amounts: sandboxAmounts,
        ids: { sandboxId: id },
        filters: { sandboxId: filter },
        counts: { uniqueSandboxCount: count },
      }),
    },
  },
  getClusterBilling: {
    ...shared,
    path: "/v2/billing/clusters",
    summary: "Report the costs of clusters",
    description: "The cost of a cluster is that of its Pods; their network costs nothing.",
    query: Type.Object({ ...window, clusterId: only("clusters") }),
    answer: {
      ...answer,
      schema: report({
        title: "ClusterBilling",
        amounts: clusterAmounts,
        ids: { clusterId: id },
        filters: { clusterId: filter },
        counts: { uniqueClusterCount: count },
      }),
    },
  },
} as const satisfies Operations;

// Routes of /v2/clusters.

import type { FastifyInstance } from "fastify";
import { clusterOperations } from "../../../contract/rest-v2/cluster/cluster-operations.ts";
import { creatorOf } from "../../../domain/account.ts";
import { changeClusterOf, deleteClusterOf } from "../../../flows/cluster/change.ts";
import { createCluster } from "../../../flows/cluster/create.ts";
import { readCluster, readClusters } from "../../../flows/cluster/read.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { labeledAs } from "../../management/serve/labels.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { type PodViewDeps, readPodViews } from "../pod/pods.ts";
import { serveRestV2 } from "../serve/serve.ts";
import { templateNamed } from "../template/template-merge.ts";
import { newClusterFrom } from "./cluster-request.ts";
import { clusterRead } from "./cluster-view.ts";

type Deps = PodDeps & PodViewDeps;

export function clusterRoutes(app: FastifyInstance, deps: Deps): void {
  const read = async (accountId: string, id: string) =>
    clusterRead(await readCluster(deps, accountId, id));
  serveRestV2(app, clusterOperations, {
    async createCluster({ accountId, key, body, once }) {
      const newCluster = newClusterFrom(body);
      await templateNamed(deps, accountId, body.templateId, { serverless: false });
      const request = { ...creatorOf(key), ...newCluster, once };
      const { id } = await createCluster(deps, request);
      return read(accountId, id);
    },
    async listClusters({ accountId, key, query }) {
      const views = await readClusters(deps, accountId);
      const owned = ownedBy(views, query.createdBy, key);
      const selected = labeledAs(query, owned);
      return { clusters: selected.map(clusterRead) };
    },
    getCluster: ({ accountId, params }) => read(accountId, params.clusterId),
    async updateCluster({ accountId, params: { clusterId }, body }) {
      body satisfies Whole<typeof body, Parameters<typeof changeClusterOf>[3]>;
      await changeClusterOf(deps, accountId, clusterId, body);
      return read(accountId, clusterId);
    },
    async deleteCluster({ accountId, params }) {
      await deleteClusterOf(deps, accountId, params.clusterId);
    },
    async listClusterPods({ accountId, params }) {
      const { members } = await readCluster(deps, accountId, params.clusterId);
      return { pods: await readPodViews(deps, members) };
    },
  });
}

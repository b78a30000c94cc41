// Clusters over GraphQL, and as REST v2 reads them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { asker } from "../rest-v2/ask.ts";
import { ask, refusal } from "./ask.ts";

const CREATE = "mutation ($input: CreateClusterInput!) { createCluster(input: $input) { id } }";
const DELETE = "mutation ($id: String!) { deleteCluster(input: {id: $id}) }";

test("a cluster of one interface is read and deleted through the other", async (t) => {
  const service = await simulatedService(t);
  const rest = asker(service);
  const settings = { name: "simulated", imageName: "i", driver: "simulated", volumeInGb: 0 };
  const { id: templateId } = await rest("POST", "/v1/templates", settings);
  const gpu = { gpuTypeId: "NVIDIA A40", podCount: 2, gpuCountPerPod: 1 };
  const labels = [{ key: "team", value: "vision" }];
  const input = { clusterName: "c", type: "TRAINING", ...gpu, templateId, labels };
  const { createCluster: created } = await ask(service, CREATE, { input });
  const { myself } = await ask(
    service,
    `{ myself { clusters { id name type podCount gpuCountPerPod gpuTypeId labels { key value }
      pods { clusterId clusterIdx clusterIp clusterCidr desiredStatus } } } }`,
  );
  const { pods } = await rest("GET", `/v2/clusters/${created.id}/pods`);
  const { network } = await rest("GET", `/v2/clusters/${created.id}`);
  const { clusterName: name, templateId: _, ...shown } = input;
  const members = pods.map(
    ({ cluster }: { cluster: { id: string; rank: number; ip: string } }) => ({
      clusterId: cluster.id,
      clusterIdx: cluster.rank,
      clusterIp: cluster.ip,
      clusterCidr: network.cidr,
      desiredStatus: "RUNNING",
    }),
  );
  assert.deepEqual(myself.clusters, [{ id: created.id, name, ...shown, pods: members }]);
  assert.deepEqual(await ask(service, DELETE, { id: created.id }), { deleteCluster: true });
  await rest("GET", `/v2/clusters/${created.id}`, undefined, 404);
  const unknown = await refusal(service, DELETE, { id: created.id });
  assert.equal(unknown.extensions.code, "Cluster not found");
  for (const [changes, code] of [
    [{ type: "RAY" }, "not_offered"],
    [{ throughput: 100 }, "not_offered"],
    [{ podCount: 1 }, "invalid_body"],
    [{ podCount: 9 }, "cluster_no_capacity"],
    [{ deployCost: 0.01 }, "too_dear"],
    [{ gpuTypeId: null }, "invalid_body"],
  ] as const) {
    const refused = await refusal(service, CREATE, { input: { ...input, ...changes } });
    assert.equal(refused.extensions.code, code);
  }
  assert.deepEqual((await rest("GET", "/v2/clusters")).clusters, []);
});

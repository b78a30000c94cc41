// Clusters over REST v2: created whole or not at all, read with their members, billed and deleted as one.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HOUR_MS } from "../../src/base/units.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { asker } from "./ask.ts";

const GPU = "NVIDIA A40";
const compute = (podCount: number, gpuCountPerPod = 2) => ({
  gpuTypeId: GPU,
  gpuCountPerPod,
  podCount,
});

async function begin(t: TestContext) {
  const service = await simulatedService(t);
  const ask = asker(service);
  const settings = { name: "simulated", imageName: "i", driver: "simulated", volumeInGb: 0 };
  const { id: templateId } = await ask("POST", "/v1/templates", { ...settings, ports: ["22/tcp"] });
  const body = { name: "c", type: "TRAINING", compute: compute(3), templateId };
  const create = (changes: object = {}, status = 201) =>
    ask("POST", "/v2/clusters", { ...body, ...changes }, status);
  const running = (id: string) =>
    until(async () => {
      const cluster = await ask("GET", `/v2/clusters/${id}`);
      return cluster.pods.byStatus.RUNNING === cluster.pods.total ? cluster : null;
    });
  return { service, ask, create, running, templateId };
}

test("a cluster's labels are its members', change as one, and count for budgets", async (t) => {
  const { service, ask, create, running } = await begin(t);
  const vision = { team: "vision" };
  const { id, labels } = await create({ labels: vision });
  assert.deepEqual(labels, vision);
  await running(id);
  const members = async () => (await ask("GET", `/v2/clusters/${id}/pods`)).pods;
  const labelsOfEach = async () =>
    (await members()).map((pod: { labels?: object }) => pod.labels ?? {});
  assert.deepEqual(await labelsOfEach(), [vision, vision, vision]);
  const listed = async (label: string) =>
    (await ask("GET", `/v2/clusters?labels=${label}`)).clusters.length;
  assert.deepEqual([await listed("team=vision"), await listed("team=search")], [1, 0]);
  const renamed = await ask("PATCH", `/v2/clusters/${id}`, { name: "new" });
  assert.deepEqual([renamed.name, renamed.labels], ["new", vision]);
  const search = { team: "search" };
  const changed = await ask("PATCH", `/v2/clusters/${id}`, { labels: search });
  assert.deepEqual([changed.name, changed.labels], ["new", search]);
  assert.deepEqual(await labelsOfEach(), [search, search, search]);
  // Another Pod spends the budget of a label that the cluster does not have.
  const pod = { driver: "simulated", imageName: "i", computeType: "CPU", labels: vision };
  await until(podsOf(service).reached, (await ask("POST", "/v1/pods", pod, 201)).id);
  const budget = { period: "month", limit: 0.000001, label: "team=vision" };
  const { id: budgetId } = await ask("POST", "/v1/budgets", budget, 201);
  await until(async () => (await ask("GET", `/v1/budgets/${budgetId}`)).state === "spent");
  const refused = await ask("PATCH", `/v2/clusters/${id}`, { labels: vision }, 402);
  assert.match(JSON.stringify(refused), /for team=vision is spent/);
  await create({ labels: vision, compute: compute(2, 1) }, 402);
  await ask("PATCH", `/v2/clusters/${id}`, { labels: {} });
  assert.deepEqual(await labelsOfEach(), [{}, {}, {}]);
});

test("a cluster has all its Pods with ranks at once, and is changed and deleted as one", async (t) => {
  const { ask, create, running, templateId } = await begin(t);
  const { id, createdAt, pods, network, primary, ...rest } = await create();
  assert.deepEqual(rest, {
    name: "c",
    type: "TRAINING",
    compute: compute(3),
    template: templateId,
  });
  assert.equal(pods.total, 3);
  const { pods: members } = await ask("GET", `/v2/clusters/${id}/pods`);
  const base = network.cidr.replace(/\.0\/24$/, "");
  assert.deepEqual(
    members.map((pod: { cluster: object }) => pod.cluster),
    [0, 1, 2].map((rank) => ({ id, rank, ip: `${base}.${rank + 2}` })),
  );
  assert.equal(primary.podId, members[0].id);
  assert.match((await running(id)).primary.sshEndpoint, /^root@.+:\d+$/);
  assert.equal((await ask("PATCH", `/v2/clusters/${id}`, { name: "new" })).name, "new");
  const { clusters } = await ask("GET", "/v2/clusters");
  assert.deepEqual(
    clusters.map((each: { id: string; name: string }) => [each.id, each.name]),
    [[id, "new"]],
  );
  await ask("DELETE", `/v2/clusters/${id}`, undefined, 204);
  await ask("GET", `/v2/clusters/${id}`, undefined, 404);
  for (const pod of members) await ask("GET", `/v2/pods/${pod.id}`, undefined, 404);
});

test("members are listed on request and refuse to change alone", async (t) => {
  const { ask, create } = await begin(t);
  const { id } = await create({ compute: compute(2) });
  const { pods } = await ask("GET", `/v2/clusters/${id}/pods`);
  assert.deepEqual((await ask("GET", "/v2/pods")).pods, []);
  assert.equal((await ask("GET", "/v2/pods?includeClusterPods=true")).pods.length, 2);
  const [{ id: member, actions }] = pods;
  assert.deepEqual(actions, []);
  const path = `/v2/pods/${member}`;
  await ask("PATCH", path, { name: "x" }, 409);
  await ask("DELETE", path, undefined, 409);
  for (const action of ["stop", "start", "restart", "terminate"]) {
    const { code } = await ask("POST", `${path}/action`, { action }, 409);
    assert.equal(code, "cluster_member");
  }
  for (const action of ["stop", "start", "restart", "reset"]) {
    await ask("POST", `/v1/pods/${member}/${action}`, undefined, 409);
  }
  await ask("DELETE", `/v1/pods/${member}`, undefined, 409);
  assert.equal((await ask("GET", path)).status === "TERMINATED", false);
});

test("a cluster that cannot be placed whole leaves nothing behind", async (t) => {
  const { ask, create, templateId } = await begin(t);
  const { detail } = await create({ compute: compute(5) }, 400);
  assert.match(detail, /needs 5 Pods and there is room for 4\b/);
  assert.deepEqual((await ask("GET", "/v2/clusters")).clusters, []);
  assert.deepEqual((await ask("GET", "/v2/pods?includeClusterPods=true")).pods, []);
  const { id } = await create({ compute: compute(4) });
  const gpu = { id: GPU };
  await ask("POST", "/v2/pods", { name: "p", templateId, gpu }, 400);
  await ask("DELETE", `/v2/clusters/${id}`, undefined, 204);
  await ask("POST", "/v2/pods", { name: "p", templateId, gpu }, 201);
});

test("bodies that contradict themselves are refused, and types that are not offered", async (t) => {
  const { ask, create, templateId } = await begin(t);
  const rows: [changes: object, status: number, detail: RegExp][] = [
    [{ image: "i", disk: 5 }, 400, /"templateId" sets image, disk/],
    [{ templateId: undefined }, 400, /"image" or "templateId"/],
    [{ templateId: "nothing" }, 404, /no template/],
    [{ type: "SLURM" }, 400, /SLURM are not offered/],
    [{ compute: { ...compute(2), gpuTypeId: "nothing" } }, 400, /gpu/],
    [{ compute: compute(1) }, 422, /\$\.compute\.podCount/],
    [{ compute: compute(251) }, 422, /\$\.compute\.podCount/],
    [{ registry: "x", templateId }, 422, /\$\.registry/],
    [{ type: "OTHER" }, 422, /\$\.type/],
  ];
  for (const [changes, status, detail] of rows) {
    assert.match((await create(changes, status)).detail, detail);
  }
  assert.deepEqual((await ask("GET", "/v2/clusters")).clusters, []);
  for (const method of ["GET", "DELETE"]) {
    await ask(method, "/v2/clusters/nothing", undefined, 404);
  }
});

test("a cluster is billed as one, and not as Pods", async (t) => {
  const { service, ask, create, running } = await begin(t);
  const { id } = await create();
  await running(id);
  const now = Date.now();
  await chargeAll(service.service.store, now + 10 * HOUR_MS, 100);
  const window = `endTime=${new Date(now + 20 * HOUR_MS).toISOString()}`;
  const totals = async (path: string) => {
    const { metadata } = await ask(
      "GET",
      `/v2/billing${path}${path.includes("?") ? "&" : "?"}${window}`,
    );
    return { ...metadata.totals, clusters: metadata.uniqueClusterCount };
  };
  const { totalAmount, gpuAmount, diskAmount, networkingAmount, clusters } = await totals(
    `/clusters?clusterId=${id}`,
  );
  assert.ok(gpuAmount > 0 && diskAmount > 0);
  assert.deepEqual([networkingAmount, clusters], [0, 1]);
  const all = await totals("");
  assert.deepEqual(
    [all.totalAmount, all.clusterGpuAmount, all.clusterDiskAmount, all.podGpuAmount],
    [totalAmount, gpuAmount, diskAmount, 0],
  );
  assert.equal((await totals("/pods")).totalAmount, 0);
  assert.equal((await totals("/clusters?clusterId=x")).totalAmount, 0);
  await ask("DELETE", `/v2/clusters/${id}`, undefined, 204);
  // Until its containers have ended.
  await until(async () => (await ask("GET", "/v1/balance")).spendPerHr === 0);
});

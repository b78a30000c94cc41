// What happens to Pods, workers and jobs when parts of a cluster fail: a kubelet, a node without power, the API server.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Worker } from "../../src/contract/rest-v1/endpoint/worker.ts";
import { ownCluster, skipReason, type TestCluster } from "../fixtures/kubernetes/cluster.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { gpuHealthStory } from "./gpu-health.ts";
import {
  addCluster,
  createPod,
  ended,
  leadTo,
  loadImage,
  machinesOf,
  makeEndpoint,
  objectsOf,
  untilSays,
} from "./rig.ts";

/** A node of the tests has room for one Pod or worker. */
const NODES = ["n1", "n2,gpus=2", "n3"].flatMap((node) => ["--node", node]);
const PROTOCOL = { heartbeatMs: 300, machineLostMs: 8_000, endGraceMs: 1_000 };

suite("failures of a Kubernetes cluster", { skip: skipReason }, () => {
  test("nothing is lost, doubled or billed too long", async (t) => {
    const cluster = await ownCluster(t, ...NODES, "--quick-loss");
    await loadImage(cluster);
    const env = { FREEHOLD_PUBLIC_URL: cluster.reachUrl };
    const service = await startService(t, { drivers: "simulated", env, protocol: PROTOCOL });
    await leadTo(t, cluster, () => service.origin);
    const { nodes } = await addCluster(service, cluster, 3);
    const scene = {
      cluster,
      service,
      n1: nodes.get("n1")!.id,
      n2: nodes.get("n2")!.id,
      n3: nodes.get("n3")!.id,
    };
    const pod = await cordonStory(scene);
    await kubeletStory(scene, pod);
    await apiServerStory(scene, pod);
    await powerStory(scene, pod);
    await gpuHealthStory(service, cluster, { name: "n2", machine: scene.n2 });
    assert.equal((await service.call("DELETE", `/v1/pods/${pod}`)).status, 204);
    await until(() => objectsOf(cluster, pod).length === 0);
  });
});

interface Scene {
  cluster: TestCluster;
  service: TestService;
  n1: string;
  n2: string;
  n3: string;
}

/** Undefined for a node without Pods that has been lost for long. */
const machineOf = async (service: TestService, id: string) =>
  (await machinesOf(service)).find((each) => each.id === id);

/** While nodes are cordoned, everything new runs on the other one. Returns a Pod on n3. */
async function cordonStory({ cluster, service, n1, n2, n3 }: Scene): Promise<string> {
  cluster.kubectl("cordon", "n1", "n2");
  for (const node of [n1, n2]) await until(async () => (await machineOf(service, node))?.closed);
  const pod = await createPod(service);
  assert.equal((await untilSays(service, pod, "hello")).machineId, n3);
  cluster.kubectl("uncordon", "n2");
  await until(async () => !(await machineOf(service, n2))?.closed);
  return pod;
}

/** A worker on n2 with a job dies with its kubelet; a Pod on n3 stays. */
async function kubeletStory(scene: Scene, pod: string): Promise<void> {
  const { cluster, service, n2, n3 } = scene;
  const endpoint = await makeEndpoint(service);
  const input = { n: 4, hold: "/tmp/go" };
  const job = (await service.call("POST", `/v2/${endpoint}/run`, { input })).json.id;
  const workerOn = (node: string) =>
    until(async () => {
      const { json } = await service.call("GET", `/v2/${endpoint}/status/${job}`);
      if (json.status !== "IN_PROGRESS") return null;
      const [object] = objectsOf(cluster, json.workerId);
      return object?.spec.nodeName === node ? { id: json.workerId as string, object } : null;
    });
  const first = await workerOn("n2");
  cluster.kubectl("uncordon", "n1");
  const [before] = objectsOf(cluster, pod);
  for (const name of ["n2", "n3"]) await cluster.node(name, "stop", "kubelet");
  for (const node of [n2, n3]) await until(async () => !(await machineOf(service, node))?.online);
  await until(async () => (await machineOf(service, n3))?.lostAt);
  const second = await workerOn("n1");
  assert.notEqual(second.id, first.id);
  const shown = (await service.call("GET", `/v1/pods/${pod}`)).json;
  assert.match(`${shown.desiredStatus} ${shown.lastStatusChange}`, /^RUNNING Machine lost/);
  const why = (await service.call("GET", `/v1/why/${pod}`)).json;
  assert.equal(why.code, "pod_machine_away", why.sentence);
  // A worker on a cordoned node finishes its job and ends.
  cluster.kubectl("cordon", "n1");
  await until(async () => (await workerRead(service, endpoint, second.id))?.phase === "draining");
  const { namespace, name } = second.object.metadata;
  cluster.kubectl("exec", "-n", namespace!, name, "--", "bash", "-c", "echo >/tmp/go");
  const status = await ended(service, endpoint, job);
  assert.deepEqual([status.output, status.workerId], [{ doubled: 8 }, second.id]);
  await until(async () => (await workerRead(service, endpoint, second.id))?.phase === "ended");

  for (const name of ["n2", "n3"]) await cluster.node(name, "start", "kubelet");
  for (const node of [n2, n3]) await until(async () => (await machineOf(service, node))?.online);
  await untilSays(service, pod, "hello", 1);
  const [after] = objectsOf(cluster, pod);
  assert.equal(after!.metadata.uid, before!.metadata.uid);
  assert.equal(after!.metadata.deletionTimestamp, undefined);
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
  for (const { id } of [first, second]) await until(() => objectsOf(cluster, id).length === 0);
}

async function workerRead(service: TestService, endpoint: string, id: string) {
  const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers`);
  return (json as Worker[]).find((each) => each.id === id);
}

/** Without its API server a cluster's machines are offline and its containers run on; afterwards nothing is lost. */
async function apiServerStory({ cluster, service, n1, n2, n3 }: Scene, pod: string): Promise<void> {
  const [before] = objectsOf(cluster, pod);
  await cluster.node("control", "stop", "kube-apiserver");
  for (const node of [n1, n2, n3])
    await until(async () => !(await machineOf(service, node))?.online);
  const created = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    vcpuCount: 2,
    driver: "kubernetes",
    imageName: "any",
    ports: [],
  });
  assert.deepEqual([created.status, created.json.code], [500, "no_capacity"], created.text);
  assert.deepEqual(created.json.why[0], { machineId: "lab", reason: "it is offline" });
  await service.call("POST", `/v1/pods/${pod}/stop`);
  // The versions that the watches know are gone when it is back.
  await cluster.node("control", "run", "node", "-e", COMPACT);
  await cluster.node("control", "start", "kube-apiserver");
  for (const node of [n1, n3]) await until(async () => (await machineOf(service, node))?.online);
  await untilSays(service, pod, "bye", 1);
  const restart = await service.call("POST", `/v1/pods/${pod}/start`);
  assert.equal(restart.status, 200, restart.text);
  await untilSays(service, pod, "hello", 2);
  const [after] = objectsOf(cluster, pod);
  assert.notEqual(after!.metadata.uid, before!.metadata.uid);
}

/** Writes so that etcd has a new version, and forgets the old ones. */
const COMPACT = `
const etcd = async (path, body) =>
  (await fetch("http://127.0.0.1:2379/v3/kv/" + path, { method: "POST", body: JSON.stringify(body) })).json();
const { header } = await etcd("put", { key: btoa("/freehold-test"), value: btoa("now") });
const answer = await etcd("compaction", { revision: header.revision, physical: true });
if (!answer.header) throw new Error(JSON.stringify(answer));
`;

/** A node without power: its Pod is billed until Kubernetes noticed, and runs again after the boot. */
async function powerStory({ cluster, service, n3 }: Scene, pod: string): Promise<void> {
  await cluster.node("n3", "kill");
  const lostAt = Date.parse(await until(async () => (await machineOf(service, n3))?.lostAt));
  await cluster.node("n3", "boot");
  await until(async () => (await machineOf(service, n3))?.online);
  await untilSays(service, pod, "hello", 3);
  const events = (await service.call("GET", `/v1/pods/${pod}/events`)).json as PodEvent[];
  const end = events.filter(({ event }) => event === "container_ended").at(-1)!;
  assert.ok(Date.parse(end.at) <= lostAt, JSON.stringify(events));
}

interface PodEvent {
  event: string;
  at: string;
}

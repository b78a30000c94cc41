// A cluster as machines of a service: nodes with their inventories, a Pod and a worker on them, refused kubeconfigs, and
// the removal.

import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { LABEL } from "../../src/drivers/kubernetes/names.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { sharedCluster, skipReason, type TestCluster } from "../fixtures/kubernetes/cluster.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { isolationStory, probeSettings } from "./isolation.ts";
import { localRootStory } from "./local-root.ts";
import { networkVolumesStory } from "./network-volumes.ts";
import { privateImageStory } from "./private-image.ts";
import { publicPortsStory } from "./public-ports.ts";
import { accountQuotaStory, deletionStory, preemptionStory, quotaStory } from "./refusals.ts";
import {
  addCluster,
  createPod,
  ended,
  type KubernetesPod,
  leadTo,
  loadImage,
  machinesOf,
  makeEndpoint,
  objectsOf,
  untilSays,
} from "./rig.ts";
import { settingsStory } from "./settings.ts";
import { webhookStory } from "./webhook.ts";

suite("a Kubernetes cluster as machines", { skip: skipReason }, () => {
  let cluster: TestCluster;

  before(async () => {
    cluster = await sharedCluster();
    await loadImage(cluster);
  });

  test("a Pod and a worker run on it, and nothing is left", async (t) => {
    const service = await startService(t, {
      drivers: "simulated",
      env: { FREEHOLD_PUBLIC_URL: cluster.reachUrl },
      protocol: { endGraceMs: 1_000 },
    });
    await leadTo(t, cluster, () => service.origin);
    const { id, added, nodes } = await addCluster(service, cluster, 2, {
      cluster: { networkVolumes: { storageClass: "folders" } },
    });
    assert.ok(!added.text.includes("client-key-data"));
    const { kubeconfig } = cluster;
    const again = await service.call("POST", "/v1/machines", { kubeconfig });
    assert.equal(again.json.code, "machine_known", again.text);
    const [n1, n2] = ["n1", "n2"].map((name) => nodes.get(name));
    assert.deepEqual(n1!.gpus, []);
    assert.equal(n2!.gpus[0]?.count, 4);
    // A node that just joined has not reported all of its resources yet.
    await until(async () => {
      const node = (await machinesOf(service)).find(({ id }) => id === n1!.id)!;
      return node.vcpuCount > 0 && node.memoryInGb > 0 && node.diskInGb > 0;
    });

    const label = await podStory(service, cluster, nodes);
    await workerStory(service);
    await privateImageStory(t, service, cluster);
    await publicPortsStory(service, cluster);
    await networkVolumesStory(service, cluster);

    await settingsStory(service, cluster, id);
    await quotaStory(service, cluster);
    await accountQuotaStory(service, cluster, id);
    await deletionStory(service, cluster);
    await preemptionStory(service, cluster, id);

    const ofNode = await service.call("DELETE", `/v1/machines/${n1!.id}`);
    assert.equal(ofNode.json.code, "machine_of_cluster", ofNode.text);
    const removed = await service.call("DELETE", `/v1/machines/${id}?force=true`);
    assert.equal(removed.status, 204, removed.text);
    await until(async () => (await machinesOf(service)).every((each) => !each.cluster));
    await until(() => cluster.kubectl("get", "pods", "-A", "-o", "name", "-l", label) === "");
    const names = ["get", "namespaces", "-o", "name", "-l", label];
    await until(() => cluster.kubectl(...names) === "");
  });

  test("workers and Pods trust the root of `--tls local`", async (t) => {
    const publicUrl = cluster.reachUrl.replace("http:", "https:");
    const service = await startService(t, {
      drivers: "simulated",
      protocol: { endGraceMs: 1_000 },
      env: { FREEHOLD_TLS: "local", FREEHOLD_PUBLIC_URL: publicUrl },
    });
    await leadTo(t, cluster, () => service.origin);
    const { id } = await addCluster(service, cluster, 2);
    await workerStory(service);
    await localRootStory(service, cluster, publicUrl);
    await service.call("DELETE", `/v1/machines/${id}?force=true`);
    await until(async () => (await machinesOf(service)).every((each) => !each.cluster));
  });

  test("a cluster says whether it isolates accounts", async (t) => {
    const probe = await probeSettings(cluster);
    const env = { FREEHOLD_PUBLIC_URL: cluster.reachUrl, ...probe };
    let origin = "";
    await leadTo(t, cluster, () => origin);
    await isolationStory(cluster, async (dataFolder) => {
      const options = { drivers: "simulated", env, ...(dataFolder && { dataFolder }) };
      const service = await startService(t, options);
      origin = service.origin;
      return service;
    });
  });

  test("an admission webhook changes a Pod, and refuses one with its reason", async (t) => {
    const env = { FREEHOLD_PUBLIC_URL: cluster.reachUrl };
    const service = await startService(t, { drivers: "simulated", env });
    const { id } = await addCluster(service, cluster, 2);
    await webhookStory(t, service, cluster);
    await service.call("DELETE", `/v1/machines/${id}?force=true`);
    await until(async () => (await machinesOf(service)).every((each) => !each.cluster));
  });

  test("a cluster that cannot be used is refused, and nothing is stored", async (t) => {
    const service = await startService(t, { env: { FREEHOLD_PUBLIC_URL: cluster.reachUrl } });
    const { kubeconfig } = cluster;
    const user = (token: string) =>
      kubeconfig.replace(
        /user: \{ client-certificate-data.*\} \}\]/,
        `user: { token: ${token} } }]`,
      );
    cluster.kubectl("create", "namespace", "few-rights");
    addCleanup(t, async () => void cluster.kubectl("delete", "namespace", "few-rights"));
    cluster.kubectl("create", "serviceaccount", "-n", "few-rights", "few");
    const token = cluster.kubectl("create", "token", "-n", "few-rights", "few");
    const refusals: [body: object, sentence: RegExp][] = [
      [{ kubeconfig: "hello" }, /not a kubeconfig/],
      [{ kubeconfig, context: "other" }, /no context "other"/],
      [{ kubeconfig: user("wrong") }, /does not accept the credentials/],
      [{ inCluster: true }, /Freehold does not run in a Kubernetes cluster/],
      [{ kubeconfig: user(token) }, /may not do this in all namespaces: list nodes, watch nodes/],
      [
        { kubeconfig: kubeconfig.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1") },
        /https:\/\/127\.0\.0\.1:1 does not respond: ECONNREFUSED/,
      ],
    ];
    const noClass = { networkVolumes: { storageClass: "nfs" } };
    refusals.push([
      { kubeconfig, cluster: noClass },
      /The cluster has no storage class "nfs"; it has: folders/,
    ]);
    for (const [body, sentence] of refusals) {
      const { status, json, text } = await service.call("POST", "/v1/machines", body);
      assert.deepEqual([status, json.code], [400, "cluster_refused"], text);
      assert.match(json.error, sentence);
    }
    const range = (first: number, last: number) => ({ nodePorts: { first, last } });
    const odd = [
      { kubeconfig, address: "ssh://me@there" },
      { address: "ssh://me@there", cluster: {} },
      { kubeconfig, cluster: range(31_000, 30_000) },
      { kubeconfig, cluster: { ...range(30_000, 31_000), publicPorts: "LoadBalancer" } },
      { kubeconfig, cluster: { publicPorts: "Ingress" } },
    ];
    for (const body of odd) {
      const { json, text } = await service.call("POST", "/v1/machines", body);
      assert.equal(json.code, "invalid_body", text);
    }
    assert.equal((await machinesOf(service)).filter(({ address }) => address).length, 0);
  });
});

/** Returns the label of the service's objects. */
async function podStory(
  service: TestService,
  cluster: TestCluster,
  nodes: ReadonlyMap<string, Machine>,
): Promise<string> {
  const script = "trap 'echo bye; exit 0' TERM; echo hello from $RUNPOD_POD_ID; sleep 1000 & wait";
  const id = await createPod(service, { vcpuCount: 2, dockerStartCmd: [script] });
  const pod = `/v1/pods/${id}`;
  const read = await untilSays(service, id, `hello from ${id}`);
  const [{ metadata, spec }] = objectsOf(cluster, id) as [KubernetesPod];
  const node = nodes.get(spec.nodeName!);
  assert.deepEqual([read.desiredStatus, read.machineId], ["RUNNING", node?.id]);
  const address = commandAddress(service.origin, id, "bash", "-c", "echo from within; exit 3");
  // Its log may be there before the service has observed that it runs.
  const command = await until(() => openCommand(address, service.key).catch(() => null));
  assert.deepEqual(await command.closed, [1000, "exit 3"]);
  assert.equal(command.texts[1], "from within\n");
  await service.call("POST", `${pod}/stop`);
  await until(async () => (await service.call("GET", pod)).json.desiredStatus === "EXITED");
  await untilSays(service, id, "bye");
  await startAgain(service, pod);
  await untilSays(service, id, `hello from ${id}`, 2);
  assert.equal((await service.call("DELETE", pod)).status, 204);
  return `${LABEL.installation}=${metadata.labels![LABEL.installation]}`;
}

/** Pods of other tests may have taken the room on its node; a cluster of its own says that its own room does not count. */
async function startAgain(service: TestService, pod: string): Promise<void> {
  await until(async () => {
    const { status, json, text } = await service.call("POST", `${pod}/start`);
    if (status !== 200 && json.code !== "machine_full") throw new Error(text);
    return status === 200;
  });
}

async function workerStory(service: TestService): Promise<void> {
  const endpoint = await makeEndpoint(service, { vcpuCount: 2 });
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 21 } });
  const status = await ended(service, endpoint, run.json.id);
  assert.deepEqual(status.output, { doubled: 42 }, JSON.stringify(status));
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
}

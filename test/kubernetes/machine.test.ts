// A cluster as machines of a service: nodes with their inventories, a Pod and a worker on them, refused kubeconfigs, and
// the removal.

import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { before, suite, type TestContext, test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { ANNOTATION, LABEL } from "../../src/drivers/kubernetes/names.ts";
import type { PodObject } from "../../src/drivers/kubernetes/pod-view.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { ensureImage, sharedEngine } from "../fixtures/docker/engine.ts";
import { sharedCluster, skipReason, type TestCluster } from "../fixtures/kubernetes/cluster.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const IMAGE = "freehold-test-node-shell:1";

const WORKER = `
const { RUNPOD_AI_API_KEY: key, RUNPOD_WEBHOOK_GET_JOB: take, RUNPOD_WEBHOOK_POST_OUTPUT: post } = process.env;
const headers = { authorization: key };
process.on("SIGTERM", () => process.exit(0));
for (;;) {
  const answer = await fetch(take, { headers });
  if (answer.status !== 200) continue;
  const { id, input } = await answer.json();
  const body = JSON.stringify({ output: { doubled: input.n * 2 } });
  await fetch(post.replace("$ID", id), { method: "POST", headers, body });
}`;

/** Leads the port that Pods reach to a service. */
async function leadTo(t: TestContext, cluster: TestCluster, origin: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const server = createServer((socket) => {
    const there = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, there],
      [there, socket],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(cluster.reachPort, "127.0.0.1", resolve));
  addCleanup(t, async () => void server.close());
}

const machinesOf = async (service: TestService) =>
  (await service.call("GET", "/v1/machines")).json as Machine[];

suite("a Kubernetes cluster as machines", { skip: skipReason }, () => {
  let cluster: TestCluster;

  before(async () => {
    cluster = await sharedCluster();
    const engine = await sharedEngine();
    const programs = ["bash", "sh", "cat", "stty", "sleep"];
    const image = ensureImage(engine, IMAGE, () => [
      ...programs.map((program): [string, string] => [program, `/usr/bin/${program}`]),
      ["node", process.execPath],
    ]);
    await cluster.load(engine, image);
  });

  test("a Pod and a worker run on it, and nothing is left", async (t) => {
    const service = await startService(t, {
      drivers: "fake",
      env: { FREEHOLD_PUBLIC_URL: cluster.reachUrl },
      protocol: { endGraceMs: 1_000 },
    });
    await leadTo(t, cluster, service.origin);
    const { kubeconfig } = cluster;
    const added = await service.call("POST", "/v1/machines", { kubeconfig, name: "lab" });
    assert.equal(added.status, 201, added.text);
    const { id } = added.json as Machine;
    assert.ok(!added.text.includes("client-key-data"));
    const again = await service.call("POST", "/v1/machines", { kubeconfig });
    assert.equal(again.json.code, "machine_known", again.text);

    const nodes = await until(async () => {
      const found = (await machinesOf(service)).filter((each) => each.cluster === id);
      return found.length === 2 && found.every(({ online }) => online) ? found : null;
    });
    const [n1, n2] = ["n1", "n2"].map((name) => nodes.find((each) => each.name === name)!);
    assert.deepEqual(n1!.gpus, []);
    assert.equal(n2!.gpus[0]?.count, 4);
    assert.ok(n1!.vcpuCount > 0 && n1!.memoryInGb > 0 && n1!.diskInGb > 0);

    const label = await podStory(service, cluster, n1!.id);
    await workerStory(service);

    const ofNode = await service.call("DELETE", `/v1/machines/${n1!.id}`);
    assert.equal(ofNode.json.code, "machine_of_cluster", ofNode.text);
    const removed = await service.call("DELETE", `/v1/machines/${id}?force=true`);
    assert.equal(removed.status, 204, removed.text);
    await until(async () => (await machinesOf(service)).every((each) => !each.cluster));
    await until(() => cluster.kubectl("get", "pods", "-A", "-o", "name", "-l", label) === "");
    const names = ["get", "namespaces", "-o", "name", "-l", label];
    await until(() => cluster.kubectl(...names) === "");
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
      [{ kubeconfig: user("wrong") }, /does not accept the kubeconfig's credentials/],
      [{ kubeconfig: user(token) }, /may not do this in all namespaces: list nodes, watch nodes/],
      [
        { kubeconfig: kubeconfig.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1") },
        /https:\/\/127\.0\.0\.1:1 does not respond: ECONNREFUSED/,
      ],
    ];
    for (const [body, sentence] of refusals) {
      const { status, json, text } = await service.call("POST", "/v1/machines", body);
      assert.deepEqual([status, json.code], [400, "cluster_refused"], text);
      assert.match(json.error, sentence);
    }
    const both = { kubeconfig, address: "ssh://me@there" };
    assert.equal((await service.call("POST", "/v1/machines", both)).json.code, "invalid_body");
    assert.equal((await machinesOf(service)).filter(({ address }) => address).length, 0);
  });
});

/** Returns the label of the service's objects. */
async function podStory(
  service: TestService,
  cluster: TestCluster,
  machineId: string,
): Promise<string> {
  const script = "trap 'echo bye; exit 0' TERM; echo hello from $RUNPOD_POD_ID; sleep 1000 & wait";
  const { json, text } = await service.call("POST", "/v1/pods", {
    ...{ computeType: "CPU", vcpuCount: 2, volumeInGb: 0, containerDiskInGb: 1, ports: [] },
    ...{ driver: "kubernetes", imageName: IMAGE, dockerEntrypoint: ["bash", "-c"] },
    dockerStartCmd: [script],
  });
  assert.ok(json.id, text);
  const { id } = json;
  const pod = `/v1/pods/${id}`;
  const says = (line: string, times: number) =>
    until(async () => {
      const { json: lines } = await service.call("GET", `${pod}/logs`);
      return lines.filter((each: { text: string }) => each.text === line).length === times;
    });
  await says(`hello from ${id}`, 1);
  const read = (await service.call("GET", pod)).json;
  assert.deepEqual([read.desiredStatus, read.machineId], ["RUNNING", machineId]);
  const pods = JSON.parse(cluster.kubectl("get", "pods", "-A", "-o", "json")).items as PodObject[];
  const { labels } = pods.find(
    ({ metadata }) => metadata.annotations?.[ANNOTATION.workload] === id,
  )!.metadata;
  const address = commandAddress(service.origin, id, "bash", "-c", "echo from within; exit 3");
  const command = await openCommand(address, service.key);
  assert.deepEqual(await command.closed, [1000, "exit 3"]);
  assert.equal(command.texts[1], "from within\n");
  await service.call("POST", `${pod}/stop`);
  await until(async () => (await service.call("GET", pod)).json.desiredStatus === "EXITED");
  await says("bye", 1);
  await service.call("POST", `${pod}/start`);
  await says(`hello from ${id}`, 2);
  assert.equal((await service.call("DELETE", pod)).status, 204);
  return `${LABEL.installation}=${labels![LABEL.installation]}`;
}

async function workerStory(service: TestService): Promise<void> {
  const endpoint = await service.makeEndpoint({
    template: {
      ...{ imageName: IMAGE, driver: "kubernetes", dockerEntrypoint: ["node"] },
      dockerStartCmd: ["--input-type=module", "-e", WORKER],
    },
    spec: { computeType: "CPU", vcpuCount: 2, workersMin: 0, workersMax: 1 },
  });
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 21 } });
  const status = await until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${run.json.id}`);
    return json.status === "COMPLETED" || json.status === "FAILED" ? json : null;
  });
  assert.deepEqual(status.output, { doubled: 42 }, JSON.stringify(status));
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
}

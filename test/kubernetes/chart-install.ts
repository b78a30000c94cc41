// The Helm chart on a real cluster: Freehold runs in it, adds the cluster as its own, runs a Pod and a worker there, and
// leaves nothing behind.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { Client } from "../compose/client.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import { CHART, helm } from "../fixtures/kubernetes/helm.ts";
import { until } from "../fixtures/until.ts";
import { NO_PLACE, objectsOf, WORKER } from "./rig.ts";

const KEY = "fh_key_of_the_test_of_the_chart";
const NAMESPACE = "chart";
const RELEASE_LABEL = "app.kubernetes.io/instance=freehold";
/** The test cluster has no DNS, so its Pods reach Freehold by the Service's address. */
const SERVICE_IP = "10.96.87.1";
const CALLBACK_URL = `http://${SERVICE_IP}:8700`;

/** Answers with the health of Freehold, as a Pod sees it. */
const PAGE = `require("node:http").createServer(async (_, response) => {
  const { status } = await fetch("${CALLBACK_URL}/healthz").catch((error) => ({ status: error }));
  response.end("health " + status);
}).listen(8080)`;

const valuesFor = (image: string) => ({
  image: { repository: image.split(":")[0], tag: image.split(":")[1], pullPolicy: "Never" },
  service: { clusterIP: SERVICE_IP },
  cluster: { name: "own", callbackUrl: CALLBACK_URL },
  secret: { values: { FREEHOLD_API_KEY: KEY } },
  // A fraction of a CPU would leave its node one too few for the Pods of other tests.
  resources: { requests: { cpu: "0", memory: "64Mi" } },
});

export async function chartStory(
  t: TestContext,
  cluster: TestCluster,
  image: string,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-chart-"));
  addCleanup(t, () => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
    return path.join(folder, name);
  };
  const there = ["--kubeconfig", write("config", cluster.kubeconfig), "--namespace", NAMESPACE];
  const kubectl = (...args: string[]) => cluster.kubectl("--namespace", NAMESPACE, ...args);
  cluster.kubectl("create", "namespace", NAMESPACE);
  addCleanup(t, () => cluster.kubectl("delete", "namespace", NAMESPACE, "--wait=false"));
  await makeVolume(cluster, write);
  const values = write("values.json", JSON.stringify(valuesFor(image)));
  helm("install", "freehold", CHART, ...there, "--values", values);
  addCleanup(t, () => helm("uninstall", "freehold", ...there, "--ignore-not-found"));
  kubectl("rollout", "status", "statefulset/freehold", "--timeout", "110s");

  const client = new Client(await forwardedPort(t, cluster), KEY);
  const id = await ownCluster(client);
  const namespace = await podStory(client, cluster, image);
  await workerStory(client, image);

  assert.equal((await client.call("DELETE", `/v1/machines/${id}?force=true`)).status, 204);
  await until(() => cluster.kubectl("get", "ns", namespace, "--ignore-not-found") === "");
  helm("uninstall", "freehold", ...there, "--wait");
  const kinds =
    "statefulsets,pods,services,serviceaccounts,secrets,clusterroles,clusterrolebindings";
  await until(() => kubectl("get", kinds, "-l", RELEASE_LABEL, "-o", "name") === "");
}

/**
 * The claim of the StatefulSet, before it. The folders of the test cluster's class are root's alone; drivers of other
 * classes set the group that the chart names.
 */
async function makeVolume(cluster: TestCluster, write: (name: string, text: string) => string) {
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data-freehold-0", namespace: NAMESPACE },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } },
  };
  cluster.kubectl("apply", "-f", write("claim.json", JSON.stringify(claim)));
  const read = (kind: string, name: string, field: string) =>
    cluster.kubectl("get", kind, name, "-n", NAMESPACE, "-o", `jsonpath={${field}}`);
  await until(() => read("pvc", claim.metadata.name, ".status.phase") === "Bound");
  const volume = read("pvc", claim.metadata.name, ".spec.volumeName");
  await cluster.node("n1", "run", "chmod", "777", read("pv", volume, ".spec.hostPath.path"));
}

/** A port of this machine that leads to the Service. */
async function forwardedPort(t: TestContext, cluster: TestCluster): Promise<string> {
  const forward = cluster.startKubectl(
    ...["port-forward", "--namespace", NAMESPACE, "service/freehold", ":8700"],
  );
  addCleanup(t, () => forward.kill());
  for await (const line of createInterface(forward.stdout)) {
    const port = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port) return port;
  }
  throw new Error("kubectl port-forward ended");
}

/** The id of the cluster that the chart configures, once its nodes are online. */
async function ownCluster(client: Client): Promise<string> {
  const machines: Machine[] = await until(async () => {
    const { json } = await client.call("GET", "/v1/machines");
    return json.filter((each: Machine) => each.cluster && each.online).length === 2 ? json : null;
  });
  const own = machines.find(({ name }) => name === "own")!;
  assert.equal(own.address, "https://kubernetes.default.svc");
  assert.ok(machines.every((each) => each.cluster === undefined || each.cluster === own.id));
  return own.id;
}

/** Returns the account's namespace. */
async function podStory(client: Client, cluster: TestCluster, image: string): Promise<string> {
  const json = await until(async () => {
    const answer = await client.call("POST", "/v1/pods", {
      computeType: "CPU",
      vcpuCount: 2,
      volumeInGb: 0,
      containerDiskInGb: 1,
      imageName: image,
      ports: ["8080/http"],
      dockerEntrypoint: ["node"],
      dockerStartCmd: ["-e", PAGE],
    });
    // Other tests may have the nodes.
    if (NO_PLACE.has(answer.json.code)) return null;
    assert.ok(answer.json.id, JSON.stringify(answer.json));
    return answer.json;
  });
  const host = `${json.id}-8080.proxy.localhost`;
  await until(async () => (await page(client.origin, host)) === "health 200");
  const [object] = objectsOf(cluster, json.id);
  // A worker needs its place.
  assert.equal((await client.call("DELETE", `/v1/pods/${json.id}`)).status, 204);
  return object!.metadata.namespace!;
}

function page(origin: string, host: string): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(origin, { headers: { host } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve(Buffer.concat(chunks).toString());
    });
    outgoing.on("error", (error) => resolve(error.message));
    outgoing.end();
  });
}

async function workerStory(client: Client, image: string): Promise<void> {
  const template = await client.call("POST", "/v1/templates", {
    name: "doubler",
    imageName: image,
    isServerless: true,
    containerDiskInGb: 1,
    dockerEntrypoint: ["node"],
    dockerStartCmd: ["--input-type=module", "-e", WORKER],
  });
  const endpoint = await client.call("POST", "/v1/endpoints", {
    name: "doubler",
    templateId: template.json.id,
    computeType: "CPU",
    vcpuCount: 2,
    workersMin: 0,
    workersMax: 1,
  });
  const address = `/v2/${endpoint.json.id}/runsync?wait=240000`;
  const { json } = await client.call("POST", address, { input: { n: 21 } });
  assert.deepEqual(json.output, { doubled: 42 }, JSON.stringify(json));
  await client.call("DELETE", `/v1/endpoints/${endpoint.json.id}`);
}

// An admission webhook of the operator: one that changes Pods is respected, and one that refuses them is named.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { LABEL } from "../../src/drivers/kubernetes/names.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { REACH_ADDRESS, type TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { createPod, objectsOf, untilSays } from "./rig.ts";

const NAME = "pods.test.example.org";
const PATCH = [{ op: "add", path: "/metadata/labels/team", value: "vision" }];

export async function webhookStory(
  t: TestContext,
  service: TestService,
  cluster: TestCluster,
): Promise<void> {
  const webhook = await serveWebhook(t, cluster.registryPort);
  cluster.apply(webhook.configuration);
  addCleanup(t, async () => {
    cluster.kubectl("delete", "mutatingwebhookconfiguration", "test", "--ignore-not-found");
  });
  // The API server notices the configuration a moment later.
  const changed = await until(async () => {
    const pod = await createPod(service);
    await untilSays(service, pod, "hello");
    const { labels } = objectsOf(cluster, pod)[0]!.metadata;
    if (labels?.team === "vision") return pod;
    await remove(service, cluster, pod);
    return null;
  });
  assert.equal((await service.call("GET", `/v1/pods/${changed}`)).json.desiredStatus, "RUNNING");
  await remove(service, cluster, changed);

  webhook.refuse = true;
  const refused = await createPod(service);
  const why = await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${refused}`);
    return /webhook/.test(json.sentence) ? json : null;
  });
  assert.match(
    why.sentence,
    /admission webhook pods\.test\.example\.org refuses the Pod: no Pods on Fridays/,
  );
  assert.deepEqual(objectsOf(cluster, refused), []);
  cluster.kubectl("delete", "mutatingwebhookconfiguration", "test");
  await remove(service, cluster, refused);
}

async function remove(service: TestService, cluster: TestCluster, pod: string): Promise<void> {
  await service.call("DELETE", `/v1/pods/${pod}`);
  await until(() => objectsOf(cluster, pod).length === 0);
}

async function serveWebhook(t: TestContext, port: number) {
  const { key, cert } = certificate(t);
  const webhook = { refuse: false, configuration: {} };
  const server = createServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { uid } = JSON.parse(Buffer.concat(chunks).toString()).request;
    const patch = Buffer.from(JSON.stringify(PATCH)).toString("base64");
    const answer = webhook.refuse
      ? { uid, allowed: false, status: { message: "no Pods on Fridays" } }
      : { uid, allowed: true, patchType: "JSONPatch", patch };
    response.setHeader("content-type", "application/json");
    const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: answer };
    response.end(JSON.stringify(review));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  addCleanup(t, async () => {
    server.close();
    server.closeAllConnections();
  });
  webhook.configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "test" },
    webhooks: [
      {
        name: NAME,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: {
          url: `https://${REACH_ADDRESS}:${port}/`,
          caBundle: Buffer.from(cert).toString("base64"),
        },
        objectSelector: { matchExpressions: [{ key: LABEL.pod, operator: "Exists" }] },
        rules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
        ],
      },
    ],
  };
  return webhook;
}

function certificate(t: TestContext): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-webhook-"));
  addCleanup(t, async () => rmSync(folder, { recursive: true }));
  const [keyFile, certFile] = ["key.pem", "cert.pem"].map((name) => path.join(folder, name));
  const subject = ["-subj", "/CN=webhook", "-addext", `subjectAltName=IP:${REACH_ADDRESS}`];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...request, "-keyout", keyFile!, "-out", certFile!], {
    stdio: "ignore",
  });
  return { key: readFileSync(keyFile!, "utf8"), cert: readFileSync(certFile!, "utf8") };
}

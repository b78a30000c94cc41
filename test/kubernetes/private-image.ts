// A private image on a cluster: pulled with credentials only, which are gone with what they were written for.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { TestContext } from "node:test";
import { CREDENTIALS, pushPrivate, startRegistry } from "../docker/registry.ts";
import { ensureShellImage, sharedEngine } from "../fixtures/docker/engine.ts";
import { REACH_ADDRESS, type TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { createPod, objectsOf, untilSays } from "./rig.ts";

export async function privateImageStory(
  t: TestContext,
  service: TestService,
  cluster: TestCluster,
): Promise<void> {
  const engine = await sharedEngine();
  const docker = (...args: string[]) =>
    execFileSync("docker", ["--host", engine, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
  const registry = await startRegistry(t, { closed: cluster.registryPort });
  const shellImage = ensureShellImage(engine);
  const pushed = pushPrivate(t, { docker, shellImage }, registry.closed);
  const imageName = pushed.replace("127.0.0.1", REACH_ADDRESS);
  const auth = await service.call("POST", "/v1/containerregistryauth", {
    ...CREDENTIALS,
    name: "cluster",
  });
  const containerRegistryAuthId = auth.json.id as string;

  const refused = await createPod(service, { imageName });
  const why = await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${refused}`);
    return json.code === "pod_start_failing" ? json : null;
  }, refused);
  assert.equal(why.evidence.cause, "image_unauthorised", why.sentence);
  await service.call("DELETE", `/v1/pods/${refused}`);

  const pod = await createPod(service, { imageName, containerRegistryAuthId });
  await untilSays(service, pod, "hello");
  const { name, namespace } = objectsOf(cluster, pod)[0]!.metadata;
  const secrets = () => secretsOf(cluster, namespace!);
  assert.deepEqual(secrets().get(name), { type: "Opaque", owners: [name] });
  assert.deepEqual(secrets().get(`${name}-pull`), {
    type: "kubernetes.io/dockerconfigjson",
    owners: [name],
  });
  await service.call("DELETE", `/v1/pods/${pod}`);
  await until(() => secrets().size === 0);
  await workerStory(service, cluster, { imageName, containerRegistryAuthId });
  await until(() => secrets().size === 0);
}

/** Its worker cannot serve jobs: all that counts is that it starts. */
async function workerStory(service: TestService, cluster: TestCluster, image: object) {
  const endpoint = await service.makeEndpoint({
    template: {
      driver: "kubernetes",
      dockerEntrypoint: ["bash", "-c"],
      dockerStartCmd: ["sleep 1000"],
      ...image,
    },
    spec: { computeType: "CPU", vcpuCount: 2, workersMin: 1, workersMax: 1 },
  });
  await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint}?includeWorkers=true`);
    return json.workers.some(({ id }: { id: string }) =>
      objectsOf(cluster, id).some(({ status }) => status?.phase === "Running"),
    );
  });
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
}

interface Secret {
  metadata: { name: string; ownerReferences?: { name: string }[] };
  type: string;
}

function secretsOf(cluster: TestCluster, namespace: string) {
  const found: Secret[] = JSON.parse(
    cluster.kubectl("get", "secrets", "-n", namespace, "-o", "json"),
  ).items;
  return new Map(
    found.map(({ metadata: { name, ownerReferences = [] }, type }) => [
      name,
      { type, owners: ownerReferences.map(({ name }) => name) },
    ]),
  );
}

// Changes of a cluster that was added: what is tried and refused, and what its Pods get afterwards.

import assert from "node:assert/strict";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { createPod, machinesOf, objectsOf, untilSays } from "./rig.ts";

const RUNTIME_CLASS = {
  apiVersion: "node.k8s.io/v1",
  kind: "RuntimeClass",
  metadata: { name: "nvidia" },
  handler: "runc",
};

export async function settingsStory(
  service: TestService,
  cluster: TestCluster,
  id: string,
): Promise<void> {
  const { kubeconfig } = cluster;
  const elsewhere = kubeconfig.replace(/127\.0\.0\.1/g, "localhost");
  const refused: [body: object, sentence: RegExp][] = [
    [{ cluster: { networkVolumes: { storageClass: "none" } } }, /no storage class "none"/],
    [
      { cluster: { priorityClasses: { spot: "spto" } } },
      /no PriorityClass with name spto was found/,
    ],
    [{ cluster: { gpuRuntimeClass: "nvdia" } }, /RuntimeClass "nvdia" not found/],
    [{ cluster: { nodePorts: { first: 9, last: 8 } } }, /"first" before "last"/],
    [{ kubeconfig: "hello" }, /not a kubeconfig/],
    [{ kubeconfig: elsewhere }, /leads to https:\/\/localhost:\d+, and this cluster is at/],
    [{ context: "other" }, /"context" requires "kubeconfig"/],
  ];
  for (const [body, sentence] of refused) {
    const { status, text, json } = await service.call("PATCH", `/v1/machines/${id}`, body);
    assert.equal(status, 400, text);
    assert.match(json.error, sentence);
  }
  cluster.apply(RUNTIME_CLASS);
  const settings = { networkVolumes: { storageClass: "folders" }, gpuRuntimeClass: "nvidia" };
  const changes = { name: "renamed", kubeconfig, cluster: settings };
  // The API server's admission notices the class a moment later.
  const changed = await until(async () => {
    const answer = await service.call("PATCH", `/v1/machines/${id}`, changes);
    return answer.status === 200 ? answer : null;
  });
  assert.deepEqual([changed.json.name, changed.json.settings], ["renamed", settings]);
  assert.ok(!changed.text.includes("client-key-data"));

  await until(async () => (await machinesOf(service)).filter(isOnlineNodeOf(id)).length === 2);
  const pod = await createPod(service, {
    computeType: "GPU",
    gpuTypeIds: ["NVIDIA H100 80GB HBM3"],
    gpuCount: 1,
    vcpuCount: undefined,
  });
  await untilSays(service, pod, "hello");
  const spec = objectsOf(cluster, pod)[0]!.spec as { runtimeClassName?: string };
  assert.equal(spec.runtimeClassName, "nvidia");
  await service.call("DELETE", `/v1/pods/${pod}`);
  await until(() => objectsOf(cluster, pod).length === 0);
}

const isOnlineNodeOf = (id: string) => (each: { cluster?: string; online: boolean }) =>
  each.cluster === id && each.online;

// A network volume on a cluster: several Pods mount it, it outlives them, and its claim ends with it.

import assert from "node:assert/strict";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { createPod, objectsOf, untilSays } from "./rig.ts";

const claimsOf = (cluster: TestCluster, namespace: string) =>
  cluster.kubectl("get", "persistentvolumeclaims", "-n", namespace, "-o", "name");

export async function networkVolumesStory(
  service: TestService,
  cluster: TestCluster,
): Promise<void> {
  const wanted = { name: "shared", size: 10, dataCenterId: "EU-RO-1" };
  const volume = (await service.call("POST", "/v1/networkvolumes", wanted)).json.id as string;
  assert.ok(volume);
  const mounting = (script: string) =>
    createPod(service, {
      networkVolumeId: volume,
      volumeMountPath: "/data",
      dockerStartCmd: [`${script}; sleep 1000`],
    });
  const writer = await mounting("echo kept >/data/file; echo written");
  await untilSays(service, writer, "written");
  const reader = await mounting("cat /data/file");
  await untilSays(service, reader, "kept");
  const { namespace } = objectsOf(cluster, writer)[0]!.metadata;
  assert.equal(claimsOf(cluster, namespace!).split("\n").length, 1);
  const inUse = await service.call("DELETE", `/v1/networkvolumes/${volume}`);
  assert.equal(inUse.json.code, "network_volume_in_use", inUse.text);
  for (const id of [writer, reader]) await service.call("DELETE", `/v1/pods/${id}`);
  await until(() => objectsOf(cluster, writer).length + objectsOf(cluster, reader).length === 0);

  const later = await mounting("cat /data/file");
  await untilSays(service, later, "kept");
  await service.call("DELETE", `/v1/pods/${later}`);
  await service.call("DELETE", `/v1/networkvolumes/${volume}`);
  await until(() => claimsOf(cluster, namespace!) === "");
}

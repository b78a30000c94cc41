// A GPU of a running Pod becomes unhealthy: the Pod says so, nothing new gets the GPU, and it is healthy again.

import assert from "node:assert/strict";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import { until } from "../fixtures/until.ts";
import { type Caller, createPod, machinesOf, objectsOf, untilSays } from "./rig.ts";

const UNHEALTHY = "/var/lib/kubelet/device-plugins/unhealthy";

/** `machine` is the node's, which has two GPUs. */
export async function gpuHealthStory(
  service: Caller,
  cluster: TestCluster,
  { name, machine }: { name: string; machine: string },
): Promise<void> {
  const pod = await createPod(service, {
    computeType: "GPU",
    gpuTypeIds: ["NVIDIA H100 80GB HBM3"],
    gpuCount: 1,
  });
  await untilSays(service, pod, "hello");
  const { namespace, name: object } = objectsOf(cluster, pod)[0]!.metadata;
  const command = ["--", "bash", "-c", "echo $NVIDIA_VISIBLE_DEVICES"];
  const gpu = cluster.kubectl("exec", "-n", namespace!, object, ...command);
  const why = async (code: string) =>
    until(async () => {
      const { json } = await service.call("GET", `/v1/why/${pod}`);
      return json.code === code ? json : null;
    });
  const node = async () => (await machinesOf(service)).find(({ id }) => id === machine)!;
  assert.equal((await node()).trouble, undefined);

  await cluster.node(name, "run", "sh", "-c", `echo ${gpu.split("-").at(-1)} >${UNHEALTHY}`);
  const { sentence } = await why("pod_gpu_unhealthy");
  assert.match(sentence, new RegExp(`GPU ${gpu} is out of service: the device plugin of its node`));
  await until(async () => (await node()).gpus[0]?.count === 1);
  const { trouble } = await node();
  assert.equal(
    trouble,
    `its device plugin reports that 1 of 2 GPUs is unhealthy, among them ${gpu}`,
  );

  await cluster.node(name, "run", "rm", UNHEALTHY);
  await why("pod_running");
  await until(async () => (await node()).trouble === undefined);
  const events = (await service.call("GET", `/v1/pods/${pod}/events`)).json;
  const health = events
    .map(({ event }: { event: string }) => event)
    .filter((event: string) => event.startsWith("gpu_"));
  assert.deepEqual(health, ["gpu_healthy", "gpu_unhealthy"], "the newest first");
  assert.equal((await service.call("DELETE", `/v1/pods/${pod}`)).status, 204);
  await until(() => objectsOf(cluster, pod).length === 0);
}

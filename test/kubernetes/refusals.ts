// What others decide in a cluster: a quota that refuses a Pod, and a Pod with a higher priority that takes its place.

import assert from "node:assert/strict";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { createPod, IMAGE, objectsOf, untilSays } from "./rig.ts";

/** A full quota is a reason to wait; nothing is lost. */
export async function quotaStory(service: TestService, cluster: TestCluster): Promise<void> {
  const first = await createPod(service);
  await untilSays(service, first, "hello");
  const { namespace } = objectsOf(cluster, first)[0]!.metadata;
  await service.call("DELETE", `/v1/pods/${first}`);
  await until(() => objectsOf(cluster, first).length === 0);

  cluster.kubectl("create", "quota", "full", "--hard=pods=0", "-n", namespace!);
  // The quota holds once its controller has counted.
  const counted = ["get", "quota", "full", "-n", namespace!, "-o", "jsonpath={.status.hard.pods}"];
  await until(() => cluster.kubectl(...counted) === "0");
  const pod = await createPod(service);
  const why = await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${pod}`);
    return /quota/.test(json.sentence) ? json : null;
  });
  assert.match(why.sentence, /The quota of its namespace in Kubernetes is used up: full/);
  cluster.kubectl("delete", "quota", "full", "-n", namespace!);
  await untilSays(service, pod, "hello");
  await service.call("DELETE", `/v1/pods/${pod}`);
  await until(() => objectsOf(cluster, pod).length === 0);
}

/** The operator limits an account, by a quota that an edit by hand does not raise for long. */
export async function accountQuotaStory(
  service: TestService,
  cluster: TestCluster,
  id: string,
): Promise<void> {
  const change = async (settings: object) => {
    const { status, text } = await service.call("PATCH", `/v1/machines/${id}`, {
      cluster: settings,
    });
    assert.equal(status, 200, text);
  };
  const first = await createPod(service);
  await untilSays(service, first, "hello");
  const { namespace } = objectsOf(cluster, first)[0]!.metadata;
  const hard = (field: string) => {
    const get = ["get", "quota", "freehold", "-n", namespace!, "--ignore-not-found"];
    return cluster.kubectl(...get, "-o", `jsonpath={.${field}.hard}`);
  };
  await change({ accountQuota: { pods: 1, gpus: 2 } });
  await until(() => /"pods":"1"/.test(hard("status")));
  assert.deepEqual(JSON.parse(hard("spec")), {
    pods: "1",
    "requests.amd.com/gpu": "2",
    "requests.nvidia.com/gpu": "2",
  });
  const second = await createPod(service);
  await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${second}`);
    return /used up: freehold, requested: pods=1, used: pods=1/.test(json.sentence);
  });
  await change({ accountQuota: { pods: 2 } });
  await untilSays(service, second, "hello");
  assert.deepEqual(JSON.parse(hard("spec")), { pods: "2" });
  await change({});
  await until(() => hard("spec") === "");
  for (const pod of [first, second]) {
    await service.call("DELETE", `/v1/pods/${pod}`);
    await until(() => objectsOf(cluster, pod).length === 0);
  }

  // The next Pod finds no namespace, and a new one has the quota before it has a Pod.
  await change({ accountQuota: { pods: 1 } });
  cluster.kubectl("delete", "namespace", namespace!);
  const third = await createPod(service);
  await untilSays(service, third, "hello");
  assert.deepEqual(JSON.parse(hard("spec")), { pods: "1" });
  await service.call("DELETE", `/v1/pods/${third}`);
  await until(() => objectsOf(cluster, third).length === 0);
  await change({});
}

/** What is deleted by hand behind Freehold's back is created again. */
export async function deletionStory(service: TestService, cluster: TestCluster): Promise<void> {
  const pod = await createPod(service);
  await untilSays(service, pod, "hello");
  const { namespace, name } = objectsOf(cluster, pod)[0]!.metadata;
  const there = ["-n", namespace!, "--wait=false"];
  for (const kind of ["secret", "networkpolicy"])
    cluster.kubectl("delete", kind, ...(kind === "secret" ? [name] : ["freehold"]), ...there);
  // Its program ends with exit code 0, and has not finished.
  cluster.kubectl("delete", "pod", name, ...there);
  await untilSays(service, pod, "hello", 2);
  cluster.kubectl("get", "networkpolicy", "freehold", "-n", namespace!);
  assert.equal((await service.call("GET", `/v1/pods/${pod}`)).json.desiredStatus, "RUNNING");
  await service.call("DELETE", `/v1/pods/${pod}`);
  await until(() => objectsOf(cluster, pod).length === 0);
}

const priorityClass = (name: string, value: number) => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name },
  value,
});

/** A spot Pod is preempted by a Pod that is not Freehold's, and becomes EXITED as evicted. */
export async function preemptionStory(
  service: TestService,
  cluster: TestCluster,
  id: string,
): Promise<void> {
  cluster.apply(priorityClass("freehold-spot", -10));
  cluster.apply(priorityClass("urgent", 1_000));
  const settings = { priorityClasses: { spot: "freehold-spot" } };
  // The API server's admission notices the class a moment later.
  await until(async () => {
    const { status } = await service.call("PATCH", `/v1/machines/${id}`, { cluster: settings });
    return status === 200;
  });
  const pod = await createPod(service, {
    computeType: "GPU",
    gpuTypeIds: ["NVIDIA H100 80GB HBM3"],
    gpuCount: 1,
    interruptible: true,
    vcpuCount: undefined,
  });
  await untilSays(service, pod, "hello");
  const limits = { "nvidia.com/gpu": "4" };
  cluster.apply({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "urgent", namespace: "default" },
    spec: {
      priorityClassName: "urgent",
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: "main",
          image: IMAGE,
          imagePullPolicy: "IfNotPresent",
          command: ["sleep", "1000"],
          resources: { limits },
        },
      ],
    },
  });
  const exited = await until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${pod}`);
    return json.desiredStatus === "EXITED" ? json : null;
  });
  assert.match(
    exited.lastStatusChange,
    /a Pod with a higher priority took its place in Kubernetes/,
  );
  const { json: events } = await service.call("GET", `/v1/pods/${pod}/events`);
  assert.ok(
    events.some(({ event }: { event: string }) => event === "evicted"),
    JSON.stringify(events),
  );
  cluster.kubectl("delete", "pod", "urgent", "-n", "default", "--grace-period=0", "--force");
  await service.call("DELETE", `/v1/pods/${pod}`);
  await until(() => objectsOf(cluster, pod).length === 0);
}

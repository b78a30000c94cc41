// Tests with version 4 of the public MCP server in its default mode: it speaks REST v2, the queue and GraphQL.

import assert from "node:assert/strict";
import { startEchoWorker } from "./echo-worker.ts";
import { testWithMcp4 } from "./mcp-session.ts";

const SSH_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPhy7yzM4T1sKfDk1J4cxr4k8dQ8sJk8kU3tQvYyJH2q agent";

testWithMcp4("Pods", async (use, { shellImage }) => {
  const { id } = await use("create-pod", {
    body: {
      name: "agent",
      image: shellImage,
      disk: 5,
      cmd: ["sleep", "300"],
      gpu: { id: "NVIDIA A40", count: 1 },
      ports: ["8888/http"],
      env: { A: "b" },
    },
  });
  const [pod] = (await use("list-pods")).pods;
  assert.deepEqual([pod.id, pod.name, pod.gpu.count], [id, "agent", 1]);
  assert.deepEqual([pod.env, pod.ports], [{ A: "b" }, ["8888/http"]]);
  await use("update-pod", { id, body: { name: "renamed" } });
  const { items } = await use("stream-pod-logs", { podId: id, maxWaitMs: 500 });
  assert.match(items[0].line, /^created with the image/);
  await use("pod-action", { id, body: { action: "stop" } });
  const stopped = await use("get-pod", { id });
  assert.deepEqual([stopped.name, stopped.status], ["renamed", "EXITED"]);
  assert.deepEqual(stopped.actions, ["start", "terminate"]);
  await use("pod-action", { id, body: { action: "start" } });
  await use("delete-pod", { id });
  assert.deepEqual((await use("list-pods")).pods, []);
});

testWithMcp4("volumes, credentials, the catalog and billing", async (use) => {
  const { id } = await use("create-network-volume", {
    body: { name: "data", size: 10, dataCenter: "EU-RO-1" },
  });
  await use("update-network-volume", { id, body: { size: 20 } });
  assert.equal((await use("get-network-volume", { id })).size, 20);
  assert.ok(Array.isArray((await use("list-billing")).records));
  assert.equal((await use("list-network-volumes")).networkVolumes.length, 1);
  await use("delete-network-volume", { id });
  const { id: registry } = await use("create-registry", {
    body: { name: "hub", username: "me", password: "secret" },
  });
  const shown = { id: registry, name: "hub" };
  assert.deepEqual(await use("get-registry", { id: registry }), shown);
  assert.deepEqual((await use("list-registries")).registries, [shown]);
  await use("delete-registry", { id: registry });
  await use("update-ssh-keys", { body: { keys: [SSH_KEY] } });
  assert.deepEqual((await use("get-ssh-keys")).keys, [SSH_KEY]);
  const offer = { include: ["AVAILABILITY"], product: "POD" };
  const gpu = await use("get-gpu-type", { id: "NVIDIA A40", ...offer });
  assert.deepEqual([gpu.memory, gpu.availability], [48, "HIGH"]);
  assert.ok((await use("list-gpu-types", { ...offer, count: 1 })).gpus.length > 1);
  assert.equal((await use("get-cpu-type", { id: "cpu3c" })).ramGbPerVcpu, 2);
  assert.equal((await use("get-data-center", { id: "EU-RO-1" })).region, "EUROPE");
  for (const kind of ["pod", "endpoint", "serverless", "network-volume", "cluster"]) {
    assert.ok("totals" in (await use(`list-${kind}-billing`)).metadata);
  }
  assert.deepEqual((await use("list-delegations")).delegations, []);
});

testWithMcp4("templates, endpoints and clusters", async (use, { shellImage: image }) => {
  const { id: template } = await use("create-template", {
    body: { name: "of an agent", image, serverless: true },
  });
  await use("update-template", { id: template, body: { name: "renamed" } });
  assert.equal((await use("get-template", { id: template })).name, "renamed");
  assert.equal((await use("list-templates")).templates[0].id, template);
  const { id } = await use("create-endpoint", {
    body: {
      name: "an agent's",
      type: "QUEUE",
      image,
      workers: { min: 0, max: 1 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      gpu: { pools: ["AMPERE_48"], count: 1 },
    },
  });
  await use("update-endpoint", { id, body: { workers: { min: 0, max: 2 } } });
  await use("set-endpoint-gpus", { endpointId: id, gpuIds: "AMPERE_48,ADA_24" });
  const endpoint = await use("get-endpoint", { id });
  assert.deepEqual([endpoint.workers.max, endpoint.gpu.pools], [2, ["AMPERE_48", "ADA_24"]]);
  assert.equal((await use("list-endpoints")).items[0].id, id);
  assert.deepEqual((await use("list-endpoint-workers", { id })).workers, []);
  assert.equal((await use("list-endpoint-releases", { id })).releases[0].source, "MANUAL");
  assert.deepEqual((await use("list-endpoint-builds", { id })).builds, []);
  await use("delete-endpoint", { id });
  await use("delete-template", { id: template });

  const { id: cluster } = await use("create-cluster", {
    body: {
      name: "two",
      type: "TRAINING",
      image,
      disk: 5,
      cmd: ["sleep", "300"],
      compute: { gpuTypeId: "NVIDIA A40", gpuCountPerPod: 1, podCount: 2 },
    },
  });
  assert.equal((await use("list-cluster-pods", { id: cluster })).pods.length, 2);
  await use("update-cluster", { id: cluster, body: { name: "renamed" } });
  assert.equal((await use("get-cluster", { id: cluster })).name, "renamed");
  await use("delete-cluster", { id: cluster });
});

testWithMcp4("jobs", async (use, service) => {
  const endpointId = await service.makeEndpoint();
  await startEchoWorker(service, endpointId);
  const sync = await use("runsync-endpoint", { endpointId, input: { n: 1 } });
  assert.deepEqual([sync.status, sync.output], ["COMPLETED", { n: 1 }]);
  const failed = await use("runsync-endpoint", { endpointId, input: { do: "fail" } });
  assert.deepEqual([failed.status, failed.error], ["FAILED", "handler failed"]);
  assert.equal((await use("retry-job", { endpointId, jobId: failed.id })).status, "IN_QUEUE");

  const unserved = { endpointId: await service.makeEndpoint({ spec: { workersMax: 0 } }) };
  const { id: jobId } = await use("run-endpoint", { ...unserved, input: {} });
  assert.equal((await use("get-job-status", { ...unserved, jobId })).status, "IN_QUEUE");
  assert.equal((await use("cancel-job", { ...unserved, jobId })).status, "CANCELLED");
  await use("run-endpoint", { ...unserved, input: {} });
  assert.equal((await use("endpoint-health", unserved)).jobs.inQueue, 1);
  assert.equal((await use("purge-endpoint-queue", unserved)).removed, 1);
});

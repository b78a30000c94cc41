// Tests with version 3 of the public MCP server, which speaks REST v1, the queue and GraphQL.

import assert from "node:assert/strict";
import { startEchoWorker } from "./echo-worker.ts";
import { testWithMcp3, type Use } from "./mcp-session.ts";

/** The first entry of a list. */
const first = async (use: Use, name: string, args = {}) => (await use(name, args)).items[0];

testWithMcp3("Pods", async (use, { shellImage }) => {
  const { id: podId } = await use("create-pod", {
    name: "agent",
    imageName: shellImage,
    gpuTypeIds: ["NVIDIA A40"],
    ports: ["8888/http"],
    env: { A: "b" },
  });
  const pod = await first(use, "list-pods", { includeMachine: true });
  assert.deepEqual([pod.id, pod.name, pod.desiredStatus], [podId, "agent", "RUNNING"]);
  assert.deepEqual([pod.env, pod.ports, pod.gpu.count], [{ A: "b" }, ["8888/http"], 1]);
  await use("update-pod", { podId, name: "renamed" });
  await use("stop-pod", { podId });
  const stopped = await use("get-pod", { podId });
  assert.deepEqual([stopped.name, stopped.desiredStatus], ["renamed", "EXITED"]);
  assert.equal((await use("start-pod", { podId })).desiredStatus, "RUNNING");
  await use("delete-pod", { podId });
  assert.equal(await first(use, "list-pods"), undefined);
});

testWithMcp3("volumes, credentials and the catalog", async (use) => {
  const request = { name: "data", size: 10, dataCenterId: "EU-RO-1" };
  const { id: networkVolumeId } = await use("create-network-volume", request);
  assert.equal((await first(use, "list-network-volumes")).size, 10);
  await use("update-network-volume", { networkVolumeId, size: 20 });
  assert.equal((await use("get-network-volume", { networkVolumeId })).size, 20);
  await use("delete-network-volume", { networkVolumeId });
  const auth = { name: "hub", username: "me", password: "secret" };
  const { id: containerRegistryAuthId } = await use("create-container-registry-auth", auth);
  const shown = { id: containerRegistryAuthId, name: "hub" };
  assert.deepEqual(await first(use, "list-container-registry-auths"), shown);
  assert.deepEqual(await use("get-container-registry-auth", { containerRegistryAuthId }), shown);
  await use("delete-container-registry-auth", { containerRegistryAuthId });
  const gpu = await first(use, "list-gpu-types", { searchTerm: "A40" });
  assert.deepEqual([gpu.id, gpu.memoryGb, gpu.stockStatus], ["NVIDIA A40", 48, "High"]);
  const capacity = await first(use, "get-capacity", { gpuTypeIds: ["NVIDIA A40"] });
  assert.equal(capacity.cudaVersions["12.8"], "AVAILABLE");
  const { items } = await use("list-data-centers", { limit: 100 });
  assert.ok(items.some(({ id }: { id: string }) => id === "EU-RO-1"));
});

testWithMcp3("templates and endpoints", async (use, { shellImage }) => {
  const { id: templateId } = await use("create-template", {
    name: "of an agent",
    imageName: shellImage,
    isServerless: true,
    dockerStartCmd: ["sleep", "100"],
  });
  await use("update-template", { templateId, readme: "more" });
  assert.equal((await use("get-template", { templateId })).readme, "more");
  assert.equal((await first(use, "list-templates")).id, templateId);
  const { id: endpointId } = await use("create-endpoint", {
    name: "an agent's",
    templateId,
    gpuTypeIds: ["NVIDIA A40"],
    workersMin: 0,
    workersMax: 1,
  });
  await use("update-endpoint", { endpointId, idleTimeout: 7 });
  await use("set-endpoint-gpus", { endpointId, gpuIds: "AMPERE_48" });
  const endpoint = await use("get-endpoint", { endpointId, includeWorkers: true });
  assert.deepEqual([endpoint.idleTimeout, endpoint.workersMax, endpoint.workers], [7, 1, []]);
  assert.deepEqual(endpoint.gpuTypeIds, ["NVIDIA A40", "NVIDIA RTX A6000"]);
  const listed = await first(use, "list-endpoints", { includeTemplate: true });
  assert.deepEqual([listed.id, listed.template.id], [endpointId, templateId]);
  await use("delete-endpoint", { endpointId });
  await use("delete-template", { templateId });
});

testWithMcp3("jobs", async (use, service) => {
  const endpointId = await service.makeEndpoint();
  await startEchoWorker(service, endpointId);
  const sync = await use("runsync-endpoint", { endpointId, input: { n: 1 } });
  assert.deepEqual([sync.status, sync.output], ["COMPLETED", { n: 1 }]);
  const input = { do: "stream", count: 2 };
  const { id: jobId } = await use("run-endpoint", { endpointId, input });
  const { stream } = await use("stream-job", { endpointId, jobId });
  assert.ok(Array.isArray(stream));
  const failed = await use("runsync-endpoint", { endpointId, input: { do: "fail" } });
  assert.deepEqual([failed.status, failed.error], ["FAILED", "handler failed"]);
  assert.equal((await use("retry-job", { endpointId, jobId: failed.id })).status, "IN_QUEUE");

  const unserved = { endpointId: await service.makeEndpoint({ spec: { workersMax: 0 } }) };
  const waits = { ...unserved, jobId: (await use("run-endpoint", { ...unserved, input: {} })).id };
  assert.equal((await use("get-job-status", waits)).status, "IN_QUEUE");
  assert.equal((await use("cancel-job", waits)).status, "CANCELLED");
  await use("run-endpoint", { ...unserved, input: {} });
  assert.equal((await use("endpoint-health", unserved)).jobs.inQueue, 1);
  assert.equal((await use("purge-endpoint-queue", unserved)).removed, 1);
});

// Tests of what is kept of a Pod: whether its container ran, and why it has not started.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AllocatedResources,
  gpuStatesIn,
  type PodObject,
  podViewOf,
  REJECTED,
} from "./pod-view.ts";

const metadata = { name: "fh-1", uid: "u1", resourceVersion: "1" };
const startTime = "2027-01-01T00:00:00Z";

test("a Pod that its kubelet rejects has not run", () => {
  const rejections: [reason: string, message: string][] = [
    ["OutOfcpu", "Pod was rejected: Node didn't have enough resource: cpu, requested: 2000"],
    ["OutOfnvidia.com/gpu", "Node didn't have enough resource: nvidia.com/gpu"],
    ["UnexpectedAdmissionError", "Pod was rejected: Allocate failed due to no devices"],
    ["NodeAffinity", "Pod was rejected: Predicate NodeAffinity failed"],
    ["Evicted", "Pod was rejected: The node had condition: [DiskPressure]. "],
    ["Evicted", "The node had condition: [MemoryPressure]. "],
    ["NodeShutdown", "Pod was rejected as the node is shutting down."],
  ];
  for (const [reason, message] of rejections) {
    const view = podViewOf({ metadata, status: { phase: "Failed", reason, message, startTime } });
    assert.equal(view.observation, null, message);
    assert.deepEqual(view.waiting, { reason: REJECTED, message: `${reason}: ${message}` });
  }
});

test("a Pod that ended has run, also if the kubelet has dropped its containers", () => {
  const state = { running: { startedAt: startTime } };
  const ran: PodObject["status"][] = [
    { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." },
    { phase: "Failed", reason: "DeadlineExceeded", message: "Pod was active on the node" },
    { phase: "Failed", reason: "Preempting", message: "Preempted in order to admit critical pod" },
    { phase: "Failed" },
    { phase: "Succeeded" },
    {
      phase: "Failed",
      reason: "OutOfcpu",
      message: "Pod was rejected: after a restart",
      containerStatuses: [{ name: "main", state }],
    },
  ];
  for (const status of ran) {
    const view = podViewOf({ metadata, status: { ...status, startTime } });
    assert.equal(view.observation?.state, "ended", JSON.stringify(status));
    assert.equal(view.waiting, null);
  }
});

test("a child that was killed for memory is not the end of a container that ends well", () => {
  const endOf = (exitCode: number) => {
    const at = { startedAt: startTime, finishedAt: startTime };
    const state = { terminated: { exitCode, reason: "OOMKilled", ...at } };
    const containerStatuses = [{ name: "main", state }];
    const phase = exitCode === 0 ? "Succeeded" : "Failed";
    return podViewOf({ metadata, status: { phase, startTime, containerStatuses } }).observation;
  };
  const { oom, childOom, exitCode } = endOf(0)!;
  assert.deepEqual([exitCode, oom, childOom], [0, undefined, true]);
  assert.equal(endOf(137)?.oom, true);
});

const devices = (name: string, ...states: [id: string, health?: string][]): AllocatedResources => {
  const resources = states.map(([resourceID, health]) => ({
    resourceID,
    ...(health !== undefined && { health }),
  }));
  return { name, resources };
};

test("the GPUs and MIG devices of a Pod that its device plugin reports as unhealthy", () => {
  const table: [AllocatedResources[], unhealthy: string[] | null][] = [
    [[], null],
    [[{ name: "nvidia.com/gpu" }], null],
    [[devices("nvidia.com/gpu", ["GPU-a", "Healthy"])], []],
    [
      [devices("nvidia.com/gpu", ["GPU-b", "Unhealthy"], ["GPU-a", "Unhealthy"])],
      ["GPU-a", "GPU-b"],
    ],
    [[devices("nvidia.com/gpu", ["GPU-a", "Healthy"], ["GPU-b", "Unhealthy"])], ["GPU-b"]],
    [[devices("nvidia.com/mig-1g.10gb.me", ["MIG-a", "Unhealthy"])], ["MIG-a"]],
    [[devices("amd.com/gpu", ["0000:0c:00.0", "Unhealthy"])], ["0000:0c:00.0"]],
    [[devices("nvidia.com/gpu", ["GPU-a", "Unknown"], ["GPU-b"])], []],
    [[devices("claim:gpus", ["x", "Unhealthy"]), devices("rdma/hca", ["y", "Unhealthy"])], null],
  ];
  for (const [allocatedResourcesStatus, unhealthy] of table) {
    const states = gpuStatesIn([{ allocatedResourcesStatus }, {}]);
    assert.deepEqual(states?.unhealthy ?? null, unhealthy);
  }
});

test("only what a running container has counts", () => {
  const allocatedResourcesStatus = [devices("nvidia.com/gpu", ["GPU-a", "Unhealthy"])];
  const viewOf = (phase: string, state: object) =>
    podViewOf({
      metadata: { name: "fh-1", uid: "u1", resourceVersion: "1" },
      status: { phase, containerStatuses: [{ name: "main", state, allocatedResourcesStatus }] },
    }).gpuStates;
  const startedAt = "2027-01-01T00:00:00Z";
  assert.deepEqual(viewOf("Running", { running: { startedAt } }), { unhealthy: ["GPU-a"] });
  const terminated = { exitCode: 0, startedAt, finishedAt: startedAt };
  assert.equal(viewOf("Succeeded", { terminated }), null);
  assert.equal(viewOf("Pending", { waiting: { reason: "ContainerCreating" } }), null);
});

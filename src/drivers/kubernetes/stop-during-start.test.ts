// A test of a stop that comes before the start which it ends has created its Pod.

import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesInMemory } from "../../../test/fixtures/docker/log-archive.ts";
import { VirtualClock } from "../../base/clock.ts";
import { StartAborted } from "../driver.ts";
import type { KubernetesCluster } from "./cluster.ts";
import { KubernetesDriver } from "./kubernetes-driver.ts";

test("a stop ends a start that waits to learn which Pods there are", async () => {
  const pods = Promise.withResolvers<never[]>();
  const requests: string[] = [];
  const cluster = {
    installation: "test",
    clock: new VirtualClock(),
    client: {
      post: async (path: string) => {
        requests.push(path);
        throw new Error("the Pod would be created");
      },
    },
    onMachine: () => () => {},
    onMachineNow: () => [],
    podsOn: () => pods.promise,
    findNamed: () => undefined,
    until: async (holds: () => boolean) => holds(),
  } as unknown as KubernetesCluster;
  const node = { name: "n1", gpuResource: "nvidia.com/gpu", gpuRuntimeClass: null };
  const options = { cluster, node, machine: "m1", logPieces: piecesInMemory() };
  const driver = new KubernetesDriver(options);
  const workload = { id: "w1", image: "acme/llm:1", entrypoint: [], command: [], env: {} };
  const aborted = assert.rejects(driver.start(workload), StartAborted);
  const stop = driver.stop("w1", 0);
  pods.resolve([]);
  await Promise.all([aborted, stop]);
  assert.deepEqual(requests, []);
});

// Tests of the Service of public ports and of the policy that opens them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PortRequest } from "../driver.ts";
import { podObject } from "./pod/pod-object.ts";
import { publicPortObjects } from "./public-ports.ts";

const owner = { installation: "i", machine: "m" };
const NODE = { name: "n1", gpuResource: "nvidia.com/gpu", gpuRuntimeClass: null };
const port: PortRequest = { container: 22, protocol: "tcp", hostPort: 30_022 };
const workload = (ports: PortRequest[]) => {
  return { id: "w", image: "a", entrypoint: [], command: [], env: {}, ports };
};

test("a Service leads the public ports to its Pod alone", () => {
  const { metadata } = podObject(workload([port]), owner, NODE);
  const byNode = publicPortObjects(workload([port]), owner, "NodePort")!;
  const { selector, ports } = byNode.service.spec;
  for (const [name, value] of Object.entries(selector)) {
    assert.equal((metadata.labels as Record<string, string>)[name], value);
  }
  const common = { name: "p22", protocol: "TCP", targetPort: 22 };
  assert.deepEqual(ports, [{ ...common, port: 22, nodePort: 30_022 }]);
  const balanced = publicPortObjects(workload([port]), owner, "LoadBalancer")!;
  assert.deepEqual(balanced.service.spec.ports, [{ ...common, port: 30_022 }]);
});

test("the policy opens these ports and no other", () => {
  const { policy } = publicPortObjects(workload([port]), owner, "NodePort")!;
  assert.deepEqual(policy.spec.ingress, [{ ports: [{ protocol: "TCP", port: 22 }] }]);
  assert.equal(publicPortObjects(workload([]), owner, "NodePort"), null);
});

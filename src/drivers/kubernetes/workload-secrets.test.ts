// Tests of the Secrets of a workload, and of the Pod that waits for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Workload } from "../driver.ts";
import { podObject } from "./pod/pod-object.ts";
import { secretsOf } from "./workload-secrets.ts";

const owner = { installation: "i", machine: "m" };
const NODE = { name: "n1", gpuResource: "nvidia.com/gpu", gpuRuntimeClass: null };
const workload = (image: string, more: Partial<Workload> = {}): Workload => {
  return { id: "w", image, entrypoint: [], command: [], env: { KEY: "value" }, ...more };
};

test("credentials are for the registry of the image alone", () => {
  const auth = { username: "somebody", password: "right: horse" };
  const table: [image: string, registry: string][] = [
    ["acme/llm:1", "https://index.docker.io/v1/"],
    ["ghcr.io/acme/llm", "ghcr.io"],
    ["10.0.0.5:5000/llm@sha256:0", "10.0.0.5:5000"],
  ];
  for (const [image, registry] of table) {
    const [, pull] = secretsOf(workload(image, { auth }), owner);
    assert.equal(pull!.type, "kubernetes.io/dockerconfigjson");
    const encoded = Buffer.from("somebody:right: horse").toString("base64");
    assert.deepEqual(JSON.parse(pull!.stringData[".dockerconfigjson"]!), {
      auths: { [registry]: { ...auth, auth: encoded } },
    });
    const { metadata, spec } = podObject(workload(image, { auth }), owner, NODE);
    assert.deepEqual(spec.imagePullSecrets, [{ name: pull!.metadata.name }]);
    assert.equal(metadata.namespace, pull!.metadata.namespace);
    assert.equal(spec.containers[0]!.imagePullPolicy, "Always");
  }
});

test("a Pod without credentials has a Secret for its variables only", () => {
  const [environment, ...others] = secretsOf(workload("acme/llm"), owner);
  assert.deepEqual([environment!.stringData, others], [{ KEY: "value" }, []]);
  const { spec } = podObject(workload("acme/llm"), owner, NODE);
  assert.equal(spec.imagePullSecrets, undefined);
  const [container] = spec.containers;
  assert.equal(container!.imagePullPolicy, undefined);
  assert.deepEqual(container!.envFrom, [{ secretRef: { name: environment!.metadata.name } }]);
  assert.equal(spec.schedulingGates.length, 1);
});

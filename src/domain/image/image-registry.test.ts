// Tests of the registry that an image's name refers to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { registryOf } from "./image-registry.ts";

for (const [image, registry] of [
  ["acme/llm:1", "docker.io"],
  ["ubuntu", "docker.io"],
  ["sha256:00", "docker.io"],
  ["docker.io/acme/llm", "docker.io"],
  ["registry-1.docker.io/acme/llm", "docker.io"],
  ["ghcr.io/acme/llm", "ghcr.io"],
  ["GHCR.io/acme/llm", "ghcr.io"],
  ["METADATA/llm", "metadata"],
  ["localhost/llm", "localhost"],
  ["localhost:5000/llm", "localhost:5000"],
  ["127.0.0.1:5000/a/b@sha256:00", "127.0.0.1:5000"],
] as const) {
  test(`the registry of ${image} is ${registry}`, () => assert.equal(registryOf(image), registry));
}

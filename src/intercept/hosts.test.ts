// The table of hosts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Destination, destinationOf } from "./hosts.ts";

const table: [string, Destination][] = [
  ["api.runpod.io", { to: "api" }],
  ["API.Runpod.IO.", { to: "api" }],
  ["rest.runpod.io", { to: "api" }],
  ["v2-rest.runpod.io", { to: "api" }],
  ["api.runpod.ai", { to: "api" }],
  ["abc123-8888.proxy.runpod.net", { to: "pod", label: "abc123-8888" }],
  ["8zv2n1m9qk3xw7.api.runpod.ai", { to: "endpoint", label: "8zv2n1m9qk3xw7" }],
  ["a.b.api.runpod.ai", { to: "refused" }],
  ["a.b.proxy.runpod.net", { to: "refused" }],
  ["proxy.runpod.net", { to: "refused" }],
  ["console.runpod.io", { to: "refused" }],
  ["dev-api.runpod.ai", { to: "refused" }],
  ["runpod.io", { to: "refused" }],
  ["notrunpod.io", { to: "elsewhere" }],
  ["api.runpod.io.example.org", { to: "elsewhere" }],
  ["127.0.0.1", { to: "elsewhere" }],
  ["[::1]", { to: "elsewhere" }],
];

for (const [host, expected] of table) {
  test(`${host} is ${expected.to}`, () => assert.deepEqual(destinationOf(host), expected));
}

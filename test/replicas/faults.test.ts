// Faults on two replicas: what one switches, strikes at both.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

test("a fault that one replica switches strikes at both, until the other switches it off", {
  skip: missing,
}, async (t) => {
  const { a, b } = await startPair(t);
  const statuses = async () => {
    const answers = await Promise.all([a, b].map(({ call }) => call("GET", "/v1/pods")));
    return answers.map(({ status }) => status).join();
  };
  const switchedOn = await a.call("POST", "/v1/faults", { name: "429-storm", match: "/v1/pods" });
  assert.deepEqual([switchedOn.status, switchedOn.json.active?.match], [200, "/v1/pods"]);
  await until(async () => (await statuses()) === "429,429");
  assert.equal((await b.call("GET", "/v1/endpoints")).status, 200);
  assert.equal((await b.call("DELETE", "/v1/faults/429-storm")).status, 204);
  await until(async () => (await statuses()) === "200,200");
});

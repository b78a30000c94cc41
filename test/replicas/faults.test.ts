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

test("machine-lost strikes the machine that it names, on another replica, until it is off", {
  skip: missing,
}, async (t) => {
  const { a, service } = await startPair(t, {
    protocol: { heartbeatMs: 200, machineLostMs: 2_000 },
  });
  const name = service.replicas[1]!.service.replica.machine;
  const lost = async () => {
    const machines: { id: string; lostAt?: string | null }[] = (await a.call("GET", "/v1/machines"))
      .json;
    return machines.filter(({ lostAt }) => lostAt).map(({ id }) => id);
  };
  await a.call("POST", "/v1/faults", { name: "machine-lost", match: name });
  await until(async () => (await lost()).join() === name);
  await a.call("DELETE", "/v1/faults/machine-lost");
  await until(async () => (await lost()).length === 0);
});

// Tests of workers on the machines of two replicas: placed on both, observed by their own, with
// logs served by both.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEvents } from "../fixtures/event-stream.ts";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const skip = missing;
/** No machine counts as lost for its late heartbeats: the replica that ends says so. */
const protocol = { endingHoldMs: 20, endGraceMs: 200, heartbeatMs: 500, machineLostMs: 120_000 };
const spec = { workersMin: 4, workersMax: 4, idleTimeout: 3_600 };

/** Four process workers, once each has printed something. */
async function fourWorkers(t: Parameters<typeof startPair>[0]) {
  const pair = await startPair(t, { protocol, drivers: "process" });
  const command = ["sh", "-c", "echo container started; exec sleep 600"];
  const endpoint = await pair.a.makeEndpoint({
    template: { driver: "process", dockerStartCmd: command },
    spec,
  });
  const live = async () => {
    const { json } = await pair.b.call("GET", `/v1/endpoints/${endpoint}/workers?ended=0`);
    return json as { id: string; phase: string; startedAt?: string }[];
  };
  const workers = await until(async () => {
    const started = await live();
    return started.filter(({ startedAt }) => startedAt).length === 4 && started;
  });
  return { ...pair, endpoint, live, workers };
}

test("workers are distributed over machines, and each replica serves every log", {
  skip,
}, async (t) => {
  const { a, b, service, workers } = await fourWorkers(t);
  const counts = await Promise.all(
    service.replicas.map(async ({ service: { drivers } }) => (await drivers[0]!.list()).length),
  );
  assert.deepEqual(counts, [2, 2]);
  for (const { id } of workers) {
    for (const replica of [a, b]) {
      const [line] = await until(async () => {
        const { status, json } = await replica.call("GET", `/v1/workers/${id}/logs?type=container`);
        assert.equal(status, 200);
        return json.length > 0 && json;
      });
      assert.equal(line.text, "container started");
    }
  }
});

test("a log is followed from any replica, to the end of its worker", { skip }, async (t) => {
  const { a, service, endpoint, workers } = await fourWorkers(t);
  const streams = workers.flatMap(({ id }) =>
    service.replicas.map(({ origin, cliKey }) => {
      const url = `${origin}/v1/workers/${id}/logs?follow=true&type=container`;
      return readEvents(url, { authorization: cliKey });
    }),
  );
  for (const events of await Promise.all(streams)) {
    assert.equal((await events.next())!.data.text, "container started");
  }
  await a.call("DELETE", `/v1/endpoints/${endpoint}`);
  for (const events of await Promise.all(streams)) {
    assert.equal((await events.next())!.event, "end");
    assert.equal(await events.next(), null);
  }
});

test("each replica tells the load of both machines", { skip }, async (t) => {
  const { a, b } = await startPair(t, { protocol: { ...protocol, measureMs: 50 } });
  const machines = (await a.call("GET", "/v1/machines")).json as { id: string }[];
  assert.equal(machines.length, 2);
  for (const { id } of machines) {
    for (const replica of [a, b]) {
      await until(async () => {
        const { status, json } = await replica.call("GET", `/v1/machines/${id}/metrics`);
        assert.equal(status, 200);
        return typeof json.latest?.cpuPercent === "number";
      });
    }
  }
});

test("a replica that stops ends its own workers, and the other takes over", {
  skip,
}, async (t) => {
  const { a, service, workers } = await fourWorkers(t);
  const [first, second] = service.replicas;
  const driver = first!.service.drivers[0]!;
  const stays = new Set((await driver.list()).map(({ id }) => id));
  const abort = workers.filter(({ id }) => !stays.has(id));
  await second!.stop();
  const log = await a.call("GET", `/v1/workers/${abort[0]!.id}/logs`);
  assert.deepEqual([log.status, log.json.code], [503, "worker_unreachable"]);
  await until(async () => {
    const running = (await driver.list()).filter(({ state }) => state === "running");
    return running.length === 4;
  });
  const observations = await driver.list();
  assert.ok(
    observations.filter(({ id }) => stays.has(id)).every(({ state }) => state === "running"),
  );
});

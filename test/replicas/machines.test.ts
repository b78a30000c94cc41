// Workers on the machines of two replicas: placed on both, seen by their own, their logs read by all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEvents } from "../event-stream.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const skip = missing;
const protocol = { endingHoldMs: 20, endGraceMs: 200, beatMs: 500, machineLostMs: 4_000 };
const spec = { workersMin: 4, workersMax: 4, idleTimeout: 3_600 };

/** Four process workers, once all of them have printed something. */
async function fourWorkers(t: Parameters<typeof startPair>[0]) {
  const pair = await startPair(t, { protocol, drivers: "process" });
  const command = ["sh", "-c", "echo here I am; exec sleep 600"];
  const endpoint = await pair.a.makeEndpoint({
    template: { driver: "process", dockerStartCmd: command },
    spec,
  });
  const live = async () => {
    const { json } = await pair.b.call("GET", `/v1/endpoints/${endpoint}/workers?ended=0`);
    return json as { id: string; phase: string; startedAt?: string }[];
  };
  for (;;) {
    const workers = await live();
    if (workers.filter(({ startedAt }) => startedAt).length === 4)
      return { ...pair, endpoint, live, workers };
  }
}

test("workers are shared out over machines, and each replica shows every log", {
  skip,
}, async (t) => {
  const { a, b, house, workers } = await fourWorkers(t);
  const counts = await Promise.all(
    house.replicas.map(async ({ house: { drivers } }) => (await drivers[0]!.list()).length),
  );
  assert.deepEqual(counts, [2, 2]);
  for (const { id } of workers) {
    for (const replica of [a, b]) {
      for (;;) {
        const { status, json } = await replica.call("GET", `/v1/workers/${id}/logs?type=container`);
        assert.equal(status, 200);
        if (json.length === 0) continue;
        assert.equal(json[0].text, "here I am");
        break;
      }
    }
  }
});

test("a log is followed from any replica, to the end of its worker", { skip }, async (t) => {
  const { a, house, endpoint, workers } = await fourWorkers(t);
  const streams = workers.flatMap(({ id }) =>
    house.replicas.map(({ origin, cliKey }) => {
      const url = `${origin}/v1/workers/${id}/logs?follow=true&type=container`;
      return readEvents(url, { authorization: cliKey });
    }),
  );
  for (const events of await Promise.all(streams)) {
    assert.equal((await events.next())!.data.text, "here I am");
  }
  await a.call("DELETE", `/v1/endpoints/${endpoint}`);
  for (const events of await Promise.all(streams)) {
    assert.equal((await events.next())!.event, "end");
    assert.equal(await events.next(), null);
  }
});

test("a replica that stops ends its own workers, and the other goes on with all", {
  skip,
}, async (t) => {
  const { a, house, workers } = await fourWorkers(t);
  const [first, second] = house.replicas;
  const driver = first!.house.drivers[0]!;
  const stays = new Set((await driver.list()).map(({ id }) => id));
  const gone = workers.filter(({ id }) => !stays.has(id));
  await second!.stop();
  const log = await a.call("GET", `/v1/workers/${gone[0]!.id}/logs`);
  assert.deepEqual([log.status, log.json.code], [503, "worker_unreachable"]);
  for (;;) {
    const running = (await driver.list()).filter(({ state }) => state === "running");
    if (running.length === 4) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const sightings = await driver.list();
  assert.ok(sightings.filter(({ id }) => stays.has(id)).every(({ state }) => state === "running"));
});

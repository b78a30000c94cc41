// The public npm package runpod-sdk, unmodified, against a house whose jobs are done by a worker
// that the test plays.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import runpodSdk from "runpod-sdk";
import { witness } from "../fidelity/witness.ts";
import { startHouse, type TestHouse } from "../house.ts";
import { playEchoWorker } from "./echo-worker.ts";

async function watchedHouse(t: TestContext): Promise<TestHouse> {
  const house = await startHouse(t);
  witness(t, house, "npm runpod-sdk 1.1.2");
  return house;
}

async function served(house: TestHouse) {
  const id = await house.makeEndpoint();
  await playEchoWorker(house, id);
  return endpointOf(house, id);
}

function endpointOf(house: TestHouse, id: string, key = house.key) {
  return runpodSdk(key, { baseUrl: `${house.origin}/v2` }).endpoint(id)!;
}

/** What the package adds and passes on is more than its types say. */
interface Answered {
  status: string;
  output?: unknown;
  error?: string;
  completed: boolean;
  succeeded: boolean;
}

test("runSync and run", async (t) => {
  const endpoint = await served(await watchedHouse(t));
  const runSync = async (input: object) =>
    (await endpoint.runSync({ input }, 10_000)) as unknown as Answered;
  const sync = await runSync({ text: "é😀", "": [null] });
  assert.deepEqual(sync.output, { text: "é😀", "": [null] });
  assert.ok(sync.completed && sync.succeeded);

  const failed = await runSync({ do: "fail" });
  assert.deepEqual([failed.status, failed.error], ["FAILED", "it was told to fail"]);
  assert.ok(failed.completed && !failed.succeeded);

  const { id, status } = await endpoint.run({
    input: { n: 1 },
    policy: { executionTimeout: 10_000, lowPriority: false, ttl: 60_000 },
  });
  assert.equal(status, "IN_QUEUE");
  const waited = await runSync({ n: 2 });
  assert.deepEqual(waited.output, { n: 2 });
  const first = (await endpoint.status(id)) as unknown as Answered;
  assert.deepEqual(first.output, { n: 1 });
});

test("runSync outlasts the wait of one call", async (t) => {
  const house = await watchedHouse(t);
  const id = await house.makeEndpoint();
  const endpoint = endpointOf(house, id);
  const answer = endpoint.runSync({ input: { late: true } }, 3_500);
  let asked = 0;
  await new Promise<void>((resolve) => {
    for (const { house: each } of house.replicas) {
      each.app.server.on("request", ({ url }) => {
        asked++;
        if (url?.includes("/status-sync/")) resolve();
      });
    }
  });
  await playEchoWorker(house, id);
  assert.deepEqual((await answer).output, { late: true });
  assert.ok(asked < 20, `${asked} requests in a few seconds`);
});

test("stream ends by itself, for a generator and for others", async (t) => {
  const endpoint = await served(await watchedHouse(t));
  const streamed = async (input: object) => {
    const { id } = await endpoint.run({ input });
    const outputs = [];
    for await (const chunk of endpoint.stream(id)) outputs.push(chunk.output);
    return outputs;
  };
  const chunks = [{ number: 0 }, { number: 1 }, { number: 2 }];
  assert.deepEqual(await streamed({ do: "stream", count: 3 }), chunks);
  assert.deepEqual(await streamed({ plain: true }), []);
  assert.deepEqual(await streamed({ do: "fail" }), []);
});

test("cancel, purgeQueue and health", async (t) => {
  const house = await watchedHouse(t);
  const endpoint = await served(house);
  const { id } = await endpoint.run({ input: { do: "hang" } });
  const cancelled = await endpoint.cancel(id);
  assert.deepEqual([cancelled.id, cancelled.status], [id, "CANCELLED"]);
  assert.equal((await endpoint.status(id)).status, "CANCELLED");

  const unserved = endpointOf(house, await house.makeEndpoint({ spec: { workersMax: 0 } }));
  await unserved.run({ input: {} });
  await unserved.run({ input: {} });
  assert.equal((await unserved.health()).jobs.inQueue, 2);
  assert.deepEqual(await unserved.purgeQueue(), { removed: 2, status: "completed" });
  assert.deepEqual(await unserved.health(), {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
  });
});

test("what is refused reaches the caller with its sentence", async (t) => {
  const house = await watchedHouse(t);
  const id = await house.makeEndpoint();
  for (const [endpoint, status] of [
    [endpointOf(house, "unknown"), 404],
    [endpointOf(house, id, "wrong"), 401],
  ] as const) {
    await assert.rejects(endpoint.health(), (error: Error) => {
      const { response } = error as Error & {
        response?: { status: number; data: { error: string } };
      };
      assert.equal(response?.status, status, String(error));
      assert.equal(typeof response?.data.error, "string");
      return true;
    });
  }
});

// Tests with the public npm package runpod-sdk, unmodified, and a worker that the test simulates.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import runpodSdk from "runpod-sdk";
import { witness } from "../fidelity/witness.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { onRequest } from "../fixtures/service/watch-requests.ts";
import { startEchoWorker } from "./echo-worker.ts";

async function watchedService(t: TestContext): Promise<TestService> {
  const service = await startService(t);
  witness(t, service, "npm runpod-sdk 1.1.2");
  return service;
}

async function served(service: TestService) {
  const id = await service.makeEndpoint();
  await startEchoWorker(service, id);
  return endpointOf(service, id);
}

function endpointOf(service: TestService, id: string, key = service.key) {
  return runpodSdk(key, { baseUrl: `${service.origin}/v2` }).endpoint(id)!;
}

/** The package passes on more fields than its types declare. */
interface Answered {
  status: string;
  output?: unknown;
  error?: string;
  completed: boolean;
  succeeded: boolean;
}

test("runSync and run", async (t) => {
  const endpoint = await served(await watchedService(t));
  const runSync = async (input: object) =>
    (await endpoint.runSync({ input }, 10_000)) as unknown as Answered;
  const sync = await runSync({ text: "é😀", "": [null] });
  assert.deepEqual(sync.output, { text: "é😀", "": [null] });
  assert.ok(sync.completed && sync.succeeded);

  const failed = await runSync({ do: "fail" });
  assert.deepEqual([failed.status, failed.error], ["FAILED", "handler failed"]);
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
  const service = await watchedService(t);
  const id = await service.makeEndpoint();
  const endpoint = endpointOf(service, id);
  const answer = endpoint.runSync({ input: { late: true } }, 3_500);
  let requestCount = 0;
  await new Promise<void>((resolve) => {
    for (const { service: each } of service.replicas) {
      onRequest(each, ({ url }) => {
        requestCount++;
        if (url?.includes("/status-sync/")) resolve();
      });
    }
  });
  await startEchoWorker(service, id);
  assert.deepEqual((await answer).output, { late: true });
  assert.ok(requestCount < 20, `${requestCount} requests in a few seconds`);
});

test("stream ends by itself, for a generator and for others", async (t) => {
  const endpoint = await served(await watchedService(t));
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
  const service = await watchedService(t);
  const endpoint = await served(service);
  const { id } = await endpoint.run({ input: { do: "hang" } });
  const cancelled = await endpoint.cancel(id);
  assert.deepEqual([cancelled.id, cancelled.status], [id, "CANCELLED"]);
  assert.equal((await endpoint.status(id)).status, "CANCELLED");

  const unserved = endpointOf(service, await service.makeEndpoint({ spec: { workersMax: 0 } }));
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
  const service = await watchedService(t);
  const id = await service.makeEndpoint();
  for (const [endpoint, status] of [
    [endpointOf(service, "unknown"), 404],
    [endpointOf(service, id, "wrong"), 401],
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

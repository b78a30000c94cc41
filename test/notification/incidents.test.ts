// Tests of conditions that last: each is announced when it begins and when it ends.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startService, type TestService, type TestWorker } from "../fixtures/service/service.ts";
import { startReceiver } from "../webhook/receiver.ts";

const protocol = { notificationGatherMs: 0, notificationIntervalMs: 0 };

async function open(t: TestContext, rule: object) {
  const service = await startService(t, { protocol });
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const body = { name: "On call", channel, ...rule };
  const { status, text } = await service.call("POST", "/v1/notification-rules", body);
  assert.equal(status, 201, text);
  const event = async (n: number) => {
    const received = await receiver.sent(n);
    const { events } = JSON.parse(received[n - 1]!.body).data;
    assert.equal(events.length, 1);
    return events[0];
  };
  return { service, event };
}

async function runJobs(
  service: TestService,
  worker: TestWorker,
  endpoint: string,
  results: string[],
) {
  for (const result of results) {
    const { json } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
    await worker.call("job-take");
    await worker.call(`job-done/${json.id}`, "", result);
  }
}

const FAILED = '{"error":"no"}';
const COMPLETED = '{"output":1}';

test("jobs that fail too often are announced once, and when they no longer do", async (t) => {
  const failures = { count: 2, percent: 50, windowMinutes: 60 };
  const { service, event } = await open(t, { events: ["jobs_failing"], failures });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  await runJobs(service, worker, endpoint, [FAILED, FAILED, FAILED]);
  const begun = await event(1);
  assert.equal(begun.resolved, false);
  assert.deepEqual(begun.resource.id, endpoint);
  assert.match(
    begun.summary,
    /^Jobs of endpoint .* fail: \d of \d jobs failed within 60 minutes\.$/,
  );
  // Below the threshold, but not yet below half of it.
  await runJobs(service, worker, endpoint, Array(5).fill(COMPLETED));
  await runJobs(service, worker, endpoint, Array(6).fill(COMPLETED));
  const ended = await event(2);
  assert.equal(ended.resolved, true);
  assert.ok(ended.details.failed * 200 < 50 * (ended.details.completed + ended.details.failed));
});

test("a crash loop is announced with the exit code, and its end with a new release", async (t) => {
  const { service, event } = await open(t, { events: ["worker_crash_loop"] });
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "broken",
    imageName: "i",
    isServerless: true,
    driver: "simulated",
    dockerStartCmd: ["simulate", "--crash-at-start", "--exit-code", "3"],
  });
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", {
    name: "broken",
    templateId: template.id,
    computeType: "CPU",
    workersMin: 1,
  });
  const begun = await event(1);
  assert.deepEqual([begun.resolved, begun.details.exitCode], [false, 3]);
  assert.match(begun.summary, /^Workers of endpoint broken \(\w+\) crash in a loop: \d+ in a row/);
  const path = `/v1/templates/${template.id}`;
  await service.call("PATCH", path, { dockerStartCmd: ["simulate"] });
  const ended = await event(2);
  assert.deepEqual([ended.resolved, ended.resource.id], [true, endpoint.id]);
});

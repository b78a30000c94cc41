// The notifications of Pods in line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startReceiver } from "../webhook/receiver.ts";
import { simulatedService } from "./fixture.ts";

test("a Pod in line is announced when it is created and when it is refused", async (t) => {
  const { call } = await simulatedService(t, {
    env: { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' },
    protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
  });
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const rule = { name: "line", events: ["pod_left_line", "pod_refused"], channel };
  assert.equal((await call("POST", "/v1/notification-rules", rule)).status, 201);
  const common = { driver: "simulated", imageName: "i", volumeInGb: 0 };
  const body = { ...common, gpuTypeIds: ["NVIDIA A40"], queue: true };
  const { json: running } = await call("POST", "/v1/pods", body);
  const { json: late } = await call("POST", "/v1/pods", {
    ...body,
    name: "late",
    terminateAfter: "2020-01-01T00:00:00Z",
  });
  const eventOf = async (n: number) => {
    const received = await receiver.sent(n);
    return JSON.parse(received[n - 1]!.body).data.events[0];
  };
  const refused = await eventOf(1);
  assert.deepEqual([refused.type, refused.resource.id], ["pod_refused", late.id]);
  assert.match(
    refused.summary,
    /^Pod late \(.*\) left the line .*: its terminateAfter time passed/,
  );

  const { json: waiting } = await call("POST", "/v1/pods", { ...body, name: "next" });
  assert.equal(waiting.status, "QUEUED");
  const ofOne = { ...rule, name: "one", podIds: [waiting.id], enabled: false };
  assert.equal((await call("POST", "/v1/notification-rules", ofOne)).status, 201);
  await call("DELETE", `/v1/pods/${running.id}`);
  const created = await eventOf(2);
  assert.deepEqual([created.type, created.resource.id], ["pod_left_line", waiting.id]);
  assert.match(created.summary, /^Pod next \(.*\) was created after it waited in line for /);
  assert.equal(typeof created.details.machineId, "string");
});

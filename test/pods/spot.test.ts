// Tests of spot Pods on the simulated driver: cheaper, and evicted for on-demand Pods.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { type PodJson, podsOf, simulatedService } from "./fixture.ts";

const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 2}' };
const body = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

test("a spot Pod costs the spot price, and is evicted by the call that rents its GPU", async (t) => {
  const service = await simulatedService(t, { env, protocol: { evictGraceMs: 100 } });
  const pods = podsOf(service);
  const rent = async (more = {}) => service.call("POST", "/v1/pods", { ...body, ...more });
  const spot = { interruptible: true, bidPerGpu: 5, locked: true };
  const older = (await rent(spot)).json as PodJson & { costPerHr: number };
  await until(pods.reached, older.id); // so that it is older
  const newer = (await rent(spot)).json;
  assert.deepEqual([newer.interruptible, newer.costPerHr], [true, newer.gpu.secureSpotPrice]);
  await until(pods.reached, newer.id);
  const refused = await rent(spot);
  assert.deepEqual([refused.status, refused.json.code], [500, "no_capacity"]);

  const rich = await rent();
  assert.deepEqual([rich.status, rich.json.interruptible], [201, false]);
  const left = await pods.get(newer.id);
  assert.equal(left.desiredStatus, "EXITED");
  assert.match(left.lastStatusChange, /^Exited by Freehold: .*, it was interruptible/);
  assert.equal((await pods.get(older.id)).desiredStatus, "RUNNING");
  await until(pods.reached, rich.json.id);
  const why = (await service.call("GET", `/v1/why/${newer.id}`)).json;
  assert.equal(why.code, "pod_evicted");
  const back = await service.call("POST", `/v1/pods/${newer.id}/start`);
  assert.deepEqual([back.status, back.json.code], [500, "machine_full"]);

  await service.call("DELETE", `/v1/pods/${rich.json.id}`);
  const again = await service.call("POST", `/v1/pods/${newer.id}/start`);
  assert.deepEqual([again.status, again.json.desiredStatus], [200, "RUNNING"]);
});

test("a restarted on-demand Pod also evicts a spot Pod", async (t) => {
  const service = await simulatedService(t, { env, protocol: { evictGraceMs: 100 } });
  const rent = async (more = {}) =>
    (await service.call("POST", "/v1/pods", { ...body, ...more })).json;
  const stopped = await rent({ gpuCount: 2 });
  await service.call("POST", `/v1/pods/${stopped.id}/stop`);
  const spots = [await rent({ interruptible: true }), await rent({ interruptible: true })];
  assert.equal((await service.call("POST", `/v1/pods/${stopped.id}/start`)).status, 200);
  for (const { id } of spots) await until(podsOf(service).exited, id);
});

test("a Pod that ignores SIGTERM is killed after the grace period, and only then its GPU is reused", async (t) => {
  const service = await simulatedService(t, { env, protocol: { evictGraceMs: 300 } });
  const pods = podsOf(service);
  const stubborn = { dockerStartCmd: ["simulate", "--ignore-stop"], gpuCount: 2 };
  const spot = await service.call("POST", "/v1/pods", {
    ...body,
    ...stubborn,
    interruptible: true,
  });
  await until(pods.reached, spot.json.id);
  const rich = await service.call("POST", "/v1/pods", { ...body, gpuCount: 2 });
  assert.equal(rich.status, 201);
  const running = await until(pods.reached, rich.json.id);
  const log = (await service.call("GET", `/v1/pods/${spot.json.id}/logs`)).json;
  const killed = log.find(({ text }: { text: string }) => text === "killed by SIGKILL");
  assert.ok(killed && Date.parse(killed.at) <= Date.parse(running.lastStartedAt!));
});

// Spot Pods on the fake driver: cheaper, and gone when their GPUs are needed on demand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeHouse, type PodJson, podsOf, until } from "./stage.ts";

const env = { FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 2}' };
const body = { driver: "fake", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

test("a spot Pod costs the spot price, and gives way in the one call that rents its GPU", async (t) => {
  const house = await fakeHouse(t, { env, protocol: { evictGraceMs: 100 } });
  const pods = podsOf(house);
  const rent = async (more = {}) => house.call("POST", "/v1/pods", { ...body, ...more });
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
  const why = (await house.call("GET", `/v1/why/${newer.id}`)).json;
  assert.equal(why.code, "pod_evicted");
  const back = await house.call("POST", `/v1/pods/${newer.id}/start`);
  assert.deepEqual([back.status, back.json.code], [500, "machine_full"]);

  await house.call("DELETE", `/v1/pods/${rich.json.id}`);
  const again = await house.call("POST", `/v1/pods/${newer.id}/start`);
  assert.deepEqual([again.status, again.json.desiredStatus], [200, "RUNNING"]);
});

test("a Pod on demand that is started again takes a spot Pod's place too", async (t) => {
  const house = await fakeHouse(t, { env, protocol: { evictGraceMs: 100 } });
  const rent = async (more = {}) =>
    (await house.call("POST", "/v1/pods", { ...body, ...more })).json;
  const stopped = await rent({ gpuCount: 2 });
  await house.call("POST", `/v1/pods/${stopped.id}/stop`);
  const spots = [await rent({ interruptible: true }), await rent({ interruptible: true })];
  assert.equal((await house.call("POST", `/v1/pods/${stopped.id}/start`)).status, 200);
  for (const { id } of spots) await until(podsOf(house).exited, id);
});

test("who ignores SIGTERM is gone after the grace, and only then its GPU is used anew", async (t) => {
  const house = await fakeHouse(t, { env, protocol: { evictGraceMs: 300 } });
  const pods = podsOf(house);
  const stubborn = { dockerStartCmd: ["fake-worker", "--ignore-stop"], gpuCount: 2 };
  const spot = await house.call("POST", "/v1/pods", { ...body, ...stubborn, interruptible: true });
  await until(pods.reached, spot.json.id);
  const rich = await house.call("POST", "/v1/pods", { ...body, gpuCount: 2 });
  assert.equal(rich.status, 201);
  const running = await until(pods.reached, rich.json.id);
  const log = (await house.call("GET", `/v1/pods/${spot.json.id}/logs`)).json;
  const killed = log.find(({ text }: { text: string }) => text === "killed by SIGKILL");
  assert.ok(killed && Date.parse(killed.at) <= Date.parse(running.lastStartedAt!));
});

// A MIG layout that Freehold set is put back after a restart of the machine, and after a change by hand once nothing uses it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gpuUuid } from "../../src/drivers/simulated/gpu/simulated-gpus.ts";
import { newDataFolder } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const H100 = "NVIDIA H100 80GB HBM3";
const HALF = `${H100} MIG 3g.40gb`;
const UUID = "GPU-h100";
const migUuid = (instance: number) => gpuUuid(`${UUID}/${instance}/0`).replace("GPU-", "MIG-");
/** A person leaves the first device, and divides the rest anew. */
const byHand = [
  { profile: "3g.40gb", uuid: migUuid(1), memoryMb: 40_192, gpuInstance: 1 },
  { profile: "2g.20gb", uuid: migUuid(9), memoryMb: 20_096, gpuInstance: 9 },
];

test("a layout outlasts a restart of the machine, and a change by hand that nothing uses", async (t) => {
  const dataFolder = newDataFolder();
  const scenario = {
    gpus: [{ name: H100, memoryMb: 81_920, uuid: UUID }],
    events: [
      { at: "+60m", reboot: true },
      { at: "+120m", gpu: 0, slices: byHand },
    ],
  };
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const env = { ...virtual.env, FREEHOLD_GPU_CHECKS: '{"migLayouts": "set"}' };
  const protocol = { notificationGatherMs: 0, notificationIntervalMs: 0 };
  const service = await simulatedService(t, { replicas: null, dataFolder, env, protocol });
  const { call } = service;
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const rule = { name: "MIG", events: ["mig_layout_restored"], channel };
  assert.equal((await call("POST", "/v1/notification-rules", rule)).status, 201);
  const machine = async () => (await call("GET", "/v1/machines")).json[0];
  const device = async () =>
    (await machine()).gpuDevices.find((each: { uuid: string }) => each.uuid === UUID);
  const free = async () => {
    const { gpus } = await machine();
    const ofType = gpus.find((each: { gpuTypeId: string }) => each.gpuTypeId === HALF);
    return ofType?.free ?? 0;
  };
  const { id } = await machine();
  const layout = { migLayouts: { [UUID]: ["3g.40gb", "3g.40gb"] } };
  assert.equal((await call("PATCH", `/v1/machines/${id}`, layout)).status, 200);
  await until(async () => (await free()) === 2);
  const known = (await device()).migProfiles;
  assert.equal(known.source, "driver");
  assert.deepEqual(known.profiles[0], { name: "1g.10gb", count: 7 });
  const unknown = await call("PATCH", `/v1/machines/${id}`, { migLayouts: { [UUID]: ["1g.5gb"] } });
  assert.equal(unknown.status, 400);
  assert.match(unknown.text, /and the GPU has no profile 1g\.5gb; it has room for 7 × 1g\.10gb, /);

  // The machine restarts
  await advance(service, "70m");
  const first = (await receiver.sent(1)).flatMap(({ body }) => JSON.parse(body).data.events);
  const devices = `The MIG devices 2 × 3g.40gb of GPU ${UUID} of machine ${id}`;
  assert.equal(first[0].summary, `${devices} were put back.`);
  assert.equal(await free(), 2);

  const create = { driver: "simulated", imageName: "i", gpuTypeIds: [HALF] };
  const pods = [await call("POST", "/v1/pods", create), await call("POST", "/v1/pods", create)];
  for (const { json } of pods) await until(podsOf(service).reached, json.id);
  // A person divides the GPU anew while Pods run
  await advance(service, "60m");
  const [fault] = (await machine()).unhealthyGpus;
  assert.equal(fault.code, "mig_layout");
  assert.equal(fault.reason, "its MIG devices are 3g.40gb, 2g.20gb, but 2 × 3g.40gb were set");
  const refused = await call("POST", "/v1/pods", {
    ...create,
    gpuTypeIds: [`${H100} MIG 2g.20gb`],
  });
  assert.notEqual(refused.status, 201);
  const second = JSON.parse((await receiver.sent(2))[1]!.body).data.events;
  assert.match(
    second[0].summary,
    /^The MIG devices 2 × 3g\.40gb of GPU .* were not put back: nothing may use the GPU, which \w+ uses\.$/,
  );

  for (const { json } of pods) await call("DELETE", `/v1/pods/${json.id}`);
  await advance(service, "6m");
  await until(async () => (await free()) === 2);
  assert.equal((await machine()).unhealthyGpus, undefined);
});

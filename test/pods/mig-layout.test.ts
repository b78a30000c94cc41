// An operator divides a GPU into MIG devices through Freehold: nothing gets it until it was read again, and its devices are
// rented then.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { MigChange } from "../../src/domain/gpu/mig/mig-layout.ts";
import {
  beginChange,
  requestedMigChanges,
} from "../../src/transactions/machine/gpus/mig/mig-layouts.ts";
import { enterReplica, leaveReplica } from "../../src/transactions/replica/membership.ts";
import { freehold } from "../cli/command.ts";
import { bareInventory } from "../fixtures/bare-machine.ts";
import { newDataFolder } from "../fixtures/service/service.ts";
import { virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const A100 = "NVIDIA A100-SXM4-80GB";
const HALF = `${A100} MIG 3g.40gb`;
const [FIRST, SECOND] = ["GPU-first", "GPU-second"];

async function dividedService(t: TestContext, checks: object = { migLayouts: "set" }) {
  const dataFolder = newDataFolder();
  const a100 = { name: A100, memoryMb: 81_920 };
  const gpus = [
    { ...a100, uuid: FIRST },
    { ...a100, uuid: SECOND },
    { name: "NVIDIA A40", uuid: "GPU-a40" },
  ];
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify({ gpus }));
  const env = { ...virtual.env, FREEHOLD_GPU_CHECKS: JSON.stringify(checks) };
  const service = await simulatedService(t, { replicas: null, dataFolder, env });
  const { call } = service;
  const machine = async () => (await call("GET", "/v1/machines")).json[0];
  const device = async (uuid: string) =>
    (await machine()).gpuDevices.find((each: { uuid: string }) => each.uuid === uuid);
  return {
    service,
    machine,
    device,
    change: async (body: object) => call("PATCH", `/v1/machines/${(await machine()).id}`, body),
    slice: async (...args: string[]) =>
      freehold(["machine", "slice", (await machine()).id, ...args, "--data", dataFolder]),
    create: (gpuTypeId: string) =>
      call("POST", "/v1/pods", { driver: "simulated", imageName: "i", gpuTypeIds: [gpuTypeId] }),
  };
}

test("a GPU is divided, its devices are rented, and it is whole again once they are free", async (t) => {
  const { service, machine, device, change, slice, create } = await dividedService(t);
  const shown = await slice("--gpu", FIRST, "--mig", "3g.40gb,3g.40gb");
  assert.equal(shown.stderr, "");
  assert.match(shown.stdout, /^GPU 0 {2}GPU-first {2}NVIDIA A100-SXM4-80GB {2}split\n/);
  assert.equal(shown.stdout.match(/MIG 3g\.40gb {2}free\n/g)!.length, 2);
  assert.match(shown.stdout, /^ {2}MIG profiles: 7 × 1g\.10gb, 1g\.10gb\+me, 4 × 1g\.20gb, /m);
  assert.match(shown.stdout, /GPU-second .*\n {2}MIG profiles, as NVIDIA documents them: 7 × 1g/);
  assert.equal((await device(FIRST)).migChange.outcome, "set");
  assert.equal((await machine()).trouble, undefined);
  const ignored = await slice("--gpu", FIRST, "--whole");
  assert.match(ignored.stderr, /GPU GPU-first is in MIG mode; --mig off ends it/);
  assert.equal(ignored.code, 1);

  const pods = [await create(HALF), await create(HALF)].map(({ json }) => json);
  for (const pod of pods) await until(podsOf(service).reached, pod.id);
  assert.notEqual((await create(HALF)).status, 201);

  const held = await change({ migLayouts: { [FIRST]: null } });
  assert.equal(held.status, 400);
  assert.match(
    held.text,
    /names the GPU GPU-first, which \w+ uses; nothing may run on a GPU whose/,
  );

  for (const pod of pods) await service.call("DELETE", `/v1/pods/${pod.id}`);
  await until(async () => (await change({ migLayouts: { [FIRST]: null } })).status === 200);
  await until(async () => (await device(FIRST)).migChange.outcome === "set");
  assert.equal((await device(FIRST)).state, "free");
  assert.deepEqual(
    (await machine()).gpuDevices.map(({ uuid }: { uuid: string }) => uuid),
    [FIRST, SECOND, "GPU-a40"],
  );
});

test("a layout is refused with a sentence, and the GPU is offered as before", async (t) => {
  const { device, change, slice, create } = await dividedService(t);
  const refused = await slice("--gpu", FIRST, "--mig", "4g.40gb,4g.40gb");
  assert.match(refused.stderr, /GPU 0: 2 times 4g\.40gb do not fit; at most 1 do/);
  assert.equal(refused.code, 6);
  assert.equal((await device(FIRST)).state, "free");

  const none = await slice("--gpu", "GPU-a40", "--mig", "1g.10gb");
  assert.match(none.stderr, /GPU 2: the GPU has no MIG mode/);

  const rows: [body: object, text: RegExp][] = [
    [
      { migLayouts: { "GPU-never": [] } },
      /names the GPU GPU-never, which the machine does not have now/,
    ],
    [{ migLayouts: { "MIG-a": [] } }, /which is a MIG device; name its GPU/],
    [
      { migLayouts: { [FIRST]: ["half"] } },
      /names the GPU GPU-first, and .*half.* is no MIG profile such as 3g\.40gb/,
    ],
    [{ migLayouts: { [FIRST]: ["1g.10gb,7g.80gb -C"] } }, /is no MIG profile/],
    [{ migLayouts: { [FIRST]: "3g.40gb" } }, /must be a list of MIG profiles such as/],
    [{ migLayouts: { [FIRST]: [] }, testGpus: [FIRST] }, /which is being tested/],
    [
      { migLayouts: { [FIRST]: [] }, sharedGpus: { [FIRST]: { count: 2, memoryInGb: 20 } } },
      /which is shared; make it whole before you divide it/,
    ],
  ];
  for (const [body, text] of rows) {
    const answer = await change(body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, text);
  }
  assert.equal((await create(A100)).status, 201);
});

test("what waits for a machine that is offline says so, and can be cancelled until it has begun", async (t) => {
  const { service } = await dividedService(t);
  const { store } = service.service;
  const gpus = [{ gpuTypeId: A100, memoryMb: 81_920, virtual: false, indices: [0, 1, 2] }];
  const inventory = { ...bareInventory, gpus, gpuNumbers: { "GPU-a": 0, "GPU-b": 1, "GPU-c": 2 } };
  const away = {
    id: "away",
    machine: "away",
    drivers: ["docker" as const],
    address: "",
    inventory,
  };
  const now = Date.now();
  await store.write(enterReplica, away, now);
  await store.write(leaveReplica, "away", now);
  const change = (body: object) => service.call("PATCH", "/v1/machines/away", body);
  const device = async (uuid: string) => {
    const machines = (await service.call("GET", "/v1/machines")).json;
    const { gpuDevices } = machines.find(({ id }: { id: string }) => id === "away");
    return gpuDevices.find((each: { uuid: string }) => each.uuid === uuid);
  };
  const layout = { "GPU-a": ["7g.80gb"], "GPU-c": null };
  assert.equal((await change({ migLayouts: layout, testGpus: ["GPU-b"] })).status, 200);
  const [first, second] = [await device("GPU-a"), await device("GPU-b")];
  const waiting = { outcome: "pending", text: "it waits for the machine, which is offline" };
  assert.partialDeepStrictEqual(first.migChange, { ...waiting, canBeCancelled: true });
  assert.partialDeepStrictEqual(second.test, { ...waiting, canBeCancelled: true });
  assert.deepEqual([first.state, second.state], ["changing", "in_test"]);

  const shown = await freehold(["gpus", "cancel", "GPU-a", "--data", service.dataFolder]);
  assert.equal(shown.stderr, "");
  assert.match(shown.stdout, /GPU-a .*free; MIG layout cancelled: it was cancelled before/);
  assert.equal((await change({ cancelledGpuRequests: ["GPU-b"] })).status, 200);
  const { state, test: ended } = await device("GPU-b");
  assert.deepEqual([state, ended.outcome], ["free", "cancelled"]);

  const again = await change({ cancelledGpuRequests: ["GPU-a"] });
  assert.equal(again.status, 400);
  assert.match(again.text, /GPU-a, of which no test or change of the MIG layout is pending/);
  const [[, begun]] = (await store.read(requestedMigChanges, "away")) as [[string, MigChange]];
  const earlier = { isEnabled: true, instances: ["7g.80gb"], devices: ["7g.80gb"] };
  assert.equal(await store.write(beginChange, "away", "GPU-c", begun, { earlier, now }), true);
  const late = await change({ cancelledGpuRequests: ["GPU-c"] });
  assert.equal(late.status, 400);
  assert.match(late.text, /GPU-c, whose MIG layout is being changed; the change ends once/);
  const { migChange } = await device("GPU-c");
  assert.equal(migChange.text, "it was interrupted; it waits for the machine, which is offline");
  assert.equal(migChange.canBeCancelled, undefined);
});

test("without the operator's permission in the settings no layout changes", async (t) => {
  const { device, slice } = await dividedService(t, {});
  const refused = await slice("--gpu", FIRST, "--mig", "3g.40gb");
  assert.equal(refused.code, 6);
  assert.match(refused.stderr, /may not change MIG layouts; FREEHOLD_GPU_CHECKS=.*allows it/);
  assert.equal((await device(FIRST)).state, "free");
});

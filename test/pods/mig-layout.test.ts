// An operator divides a GPU into MIG devices through Freehold: nothing gets it until it was read again, and its devices are
// rented then.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freehold } from "../cli/command.ts";
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

test("without the operator's permission in the settings no layout changes", async (t) => {
  const { device, slice } = await dividedService(t, {});
  const refused = await slice("--gpu", FIRST, "--mig", "3g.40gb");
  assert.equal(refused.code, 6);
  assert.match(refused.stderr, /may not change MIG layouts; FREEHOLD_GPU_CHECKS=.*allows it/);
  assert.equal((await device(FIRST)).state, "free");
});

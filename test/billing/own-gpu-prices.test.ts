// GPUs of machines that the catalog does not have: the operator gives them a price, and they are offered.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { owed } from "../../src/domain/money/owed.ts";
import { rows } from "../../src/store/engine/statement.ts";
import { unbalanced } from "../../src/store/ledger/ledger.ts";
import { freehold } from "../cli/command.ts";
import { newDataFolder, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { ask } from "../graphql/ask.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const NOVA = "ACME Nova";
const SLICED = "ACME Mega";
const SLICE = `${SLICED} MIG 1g.10gb`;
const W7900 = "AMD Radeon PRO W7900";
const scenario = {
  gpus: [
    { name: NOVA, memoryMb: 12_282, count: 2 },
    { name: W7900, memoryMb: 46_064 },
    {
      name: SLICED,
      memoryMb: 81_920,
      slices: [{ profile: "1g.10gb", uuid: "MIG-1", memoryMb: 9_728 }],
    },
  ],
};

async function ownGpuService(t: TestContext, dataFolder = newDataFolder()) {
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const service = await simulatedService(t, { replicas: null, dataFolder });
  const { call } = service;
  const set = (id: string, fields: object) =>
    call("PATCH", "/v1/price-book", { gpuTypes: [{ id, ...fields }] });
  const create = (id: string, more: object = {}) =>
    call("POST", "/v1/pods", { ...CHEAP, gpuTypeIds: [id], ...more });
  const unpriced = async () =>
    (await call("GET", "/v1/price-book")).json.unpricedGpus.map(({ id }: { id: string }) => id);
  return { service, call, set, create, unpriced };
}

const CHEAP = { driver: "simulated", imageName: "i", volumeInGb: 0, containerDiskInGb: 0 };

const rateOf = async (service: TestService, id: string) => {
  const sql = "select rate, began_at, ended_at, carry from usage where resource_id = ? order by id";
  return await service.service.store.read(
    (resource: string) =>
      rows<{ rate: number; began_at: number; ended_at: number | null; carry: number }>(
        sql,
        resource,
      ),
    id,
  );
};

test("a GPU that the catalog does not have is offered everywhere once it has a price", async (t) => {
  const { service, call, set, create, unpriced } = await ownGpuService(t);
  assert.deepEqual(await unpriced(), [SLICE, NOVA, W7900]);
  const { json: guest } = await call("POST", "/v1/accounts", { name: "guest" });
  const authorization = { authorization: `Bearer ${guest.key}` };
  const guestBook = await call("GET", "/v1/price-book", undefined, authorization);
  assert.equal(guestBook.json.unpricedGpus, undefined);
  assert.equal((await create(NOVA)).status, 400);
  const half = await set(NOVA, { secureSpotPrice: 0.2 });
  assert.deepEqual([half.status, /set its securePrice/.test(half.text)], [400, true]);
  const typo = await set("ACME Novo", { securePrice: 1 });
  assert.deepEqual([typo.status, /not a GPU type/.test(typo.text)], [400, true]);

  const priced = await set(NOVA, { securePrice: 0.5, secureSpotPrice: 0.2, displayName: "Nova" });
  assert.equal(priced.status, 200, priced.text);
  const entry = priced.json.gpuTypes.find(({ id }: { id: string }) => id === NOVA);
  assert.deepEqual(entry, {
    id: NOVA,
    displayName: "Nova",
    memoryInGb: 12,
    source: "priceBook",
    securePrice: 0.5,
    communityPrice: 0.5,
    secureSpotPrice: 0.2,
    communitySpotPrice: 0.2,
    serverlessPrice: 0.5,
    threeMonthPrice: null,
    sixMonthPrice: null,
  });
  assert.deepEqual(await unpriced(), [SLICE, W7900]);
  const fields = "displayName memoryInGb securePrice maxGpuCount";
  const { gpuTypes } = await ask(service, `{ gpuTypes(input: {id: "${NOVA}"}) { ${fields} } }`);
  const facts = { displayName: "Nova", memoryInGb: 12, securePrice: 0.5 };
  assert.deepEqual(gpuTypes, [{ ...facts, maxGpuCount: 2 }]);
  const v2 = await call("GET", `/v2/catalog/gpus/${encodeURIComponent(NOVA)}`);
  assert.equal(v2.status, 200, v2.text);
  assert.ok((await call("GET", "/v1/openapi.json")).text.includes(NOVA));
  const { json: pod } = await create(NOVA);
  assert.deepEqual([pod.gpu.id, pod.costPerHr], [NOVA, 0.5]);
  const { json: spot } = await create(NOVA, { interruptible: true });
  assert.equal(spot.costPerHr, 0.2);
  await call("DELETE", `/v1/pods/${spot.id}`);
  const template = { driver: "simulated" as const };
  const spec = { gpuTypeIds: [NOVA], workersMin: 0, workersMax: 1 };
  const endpoint = await service.makeEndpoint({ template, spec });
  const { json: job } = await call("POST", `/v2/${endpoint}/run`, { input: {} });
  await until(async () => {
    const { json } = await call("GET", `/v2/${endpoint}/status/${job.id}`);
    return json.status === "COMPLETED";
  });

  // A price of 0 is one that is set. Nothing but a price is needed for a card of AMD.
  assert.equal((await set(W7900, { securePrice: 0 })).status, 200);
  const { json: gift } = await create(W7900);
  assert.deepEqual([gift.gpu.id, gift.costPerHr], [W7900, 0]);
  // The whole GPU's price is that of its MIG devices, by their memory.
  const whole = await set(SLICED, { securePrice: 0.8, memoryInGb: 80 });
  assert.equal(whole.status, 200, whole.text);
  assert.equal((await create(SLICE)).json.costPerHr, 0.1);
  assert.deepEqual(await unpriced(), []);
  const [{ notices }] = (await call("GET", "/v1/machines")).json;
  assert.equal(notices, undefined);
});

test("without its price a GPU is not rented, and what runs on it costs what it did, to the micro-dollar", async (t) => {
  const { service, call, set, create, unpriced } = await ownGpuService(t);
  await set(NOVA, { securePrice: 0.5, serverlessPrice: 0.7 });
  const { json: pod } = await create(NOVA);
  await until(podsOf(service).reached, pod.id);
  const removed = await set(NOVA, { securePrice: null });
  assert.equal(removed.status, 200, removed.text);
  assert.deepEqual(await unpriced(), [SLICE, NOVA, W7900]);
  const refused = await create(NOVA);
  assert.deepEqual([refused.status, /is not a GPU type/.test(refused.text)], [400, true]);
  // Neither the removal nor a price of another GPU changes what the Pod costs.
  await set("NVIDIA A40", { securePrice: 3 });
  const { json: running } = await call("GET", `/v1/pods/${pod.id}`);
  assert.deepEqual([running.desiredStatus, running.costPerHr], ["RUNNING", 0.5]);
  assert.deepEqual(
    (await rateOf(service, pod.id)).map(({ rate }) => rate),
    [500_000],
  );
  const back = await set(NOVA, { securePrice: 0.25 });
  const { serverlessPrice } = back.json.gpuTypes.find(({ id }: { id: string }) => id === NOVA);
  assert.equal(serverlessPrice, 0.25);
  assert.equal((await call("GET", `/v1/pods/${pod.id}`)).json.costPerHr, 0.25);
  await set(NOVA, { securePrice: null });
  await call("POST", `/v1/pods/${pod.id}/stop`);
  const again = await call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([again.status, again.json.code], [400, "no_longer_offered"]);
  await call("DELETE", `/v1/pods/${pod.id}`);
  const usages = await until(async () => {
    const all = await rateOf(service, pod.id);
    return all.every(({ ended_at }) => ended_at !== null) && all;
  });
  const sum = usages
    .map(({ rate, began_at: beganAt, carry, ended_at }) =>
      owed({ rate, beganAt, carry }, ended_at!),
    )
    .reduce((total, each) => total + each, 0);
  const { balance } = (await call("GET", "/v1/balance")).json;
  assert.equal(Math.round(balance * 1e6), -sum);
  assert.deepEqual(await service.service.store.read(unbalanced), []);
  const changes = (await call("GET", "/v1/price-book/changes")).json
    .filter(({ gpuTypeId }: { gpuTypeId?: string }) => gpuTypeId === NOVA)
    .map((each: Record<string, unknown>) => [each.price, each.from, each.to]);
  assert.deepEqual(changes, [
    ["securePrice", 0.25, null],
    ["securePrice", null, 0.25],
    ["securePrice", 0.5, null],
    ["serverlessPrice", 0.7, 0.5],
    ["serverlessPrice", 0.5, 0.7],
    ["securePrice", null, 0.5],
  ]);
});

test("a GPU's own price survives a restart", async (t) => {
  const { service, set } = await ownGpuService(t);
  await set(NOVA, { securePrice: 0.5 });
  const { dataFolder } = service;
  await service.stop();
  const again = await ownGpuService(t, dataFolder);
  assert.equal((await again.create(NOVA)).json.costPerHr, 0.5);
});

test("the command line lists GPUs without a price, sets one and takes it away", async (t) => {
  const { service } = await ownGpuService(t);
  const prices = async (...words: string[]) => {
    const { code, stdout, stderr } = await freehold([
      "prices",
      ...words,
      "--data",
      service.dataFolder,
    ]);
    assert.equal(code ?? 0, 0, stderr);
    return stdout;
  };
  const unpriced = await prices("--unpriced");
  assert.match(unpriced, /^ACME Nova +12 GB +no price/m);
  const done = await prices("set", NOVA, "--secure", "0.5", "--secure-spot", "0.2", "--json");
  const type = JSON.parse(done);
  assert.deepEqual([type.securePrice, type.communitySpotPrice, type.memoryInGb], [0.5, 0.2, 12]);
  assert.match(await prices(), /^ACME Nova +12 GB +\$0\.50 +\$0\.50 +\$0\.20 +\$0\.50 *$/m);
  await prices("set", NOVA, "--secure-spot", "default");
  await prices("remove", NOVA);
  const list = JSON.parse(await prices("--unpriced", "--json"));
  assert.ok(list.some(({ id }: { id: string }) => id === NOVA));
});

// The price book: a new price applies from the change on, to running workloads too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { owed } from "../../src/domain/money/owed.ts";
import { rows } from "../../src/store/engine/statement.ts";
import { unbalanced } from "../../src/store/ledger/ledger.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { ask } from "../graphql/ask.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const TYPE = "NVIDIA A40";
const A40 = { driver: "simulated", imageName: "i", gpuTypeIds: [TYPE], volumeInGb: 0 };
const DISK = Math.round((50 * 100_000) / 730);

const micros = (dollars: number) => Math.round(dollars * 1e6);
const balance = async (service: TestService) => (await service.call("GET", "/v1/balance")).json;
const change = (service: TestService, body: object, headers: Record<string, string> = {}) =>
  service.call("PATCH", "/v1/price-book", body, headers);
const history = async (service: TestService, query = "") =>
  (await service.call("GET", `/v1/price-book/changes${query}`)).json;

async function rent(service: TestService, more: object = {}) {
  const { status, json, text } = await service.call("POST", "/v1/pods", { ...A40, ...more });
  assert.equal(status, 201, text);
  await until(podsOf(service).reached, json.id);
  return json;
}

interface Slice {
  rate: number;
  began_at: number;
  ended_at: number | null;
  carry: number;
}

/** A resource's usages, price by price. */
const slicesOf = (service: TestService, id: string) =>
  service.service.store.read(
    (id: string) =>
      rows<Slice>(
        "select rate, began_at, ended_at, carry from usage where resource_id = ? order by id",
        id,
      ),
    id,
  );

test("a running Pod costs the new price from the change on, to the micro-dollar", async (t) => {
  const service = await simulatedService(t);
  const pod = await rent(service);
  const {
    status,
    json: book,
    text,
  } = await change(service, {
    gpuTypes: [{ id: TYPE, securePrice: 0.5 }],
    storage: { containerDisk: 0.2 },
  });
  assert.equal(status, 200, text);
  assert.equal(book.gpuTypes.find(({ id }: { id: string }) => id === TYPE).securePrice, 0.5);
  assert.deepEqual((await service.call("GET", "/v1/price-book")).json, book);
  const [{ at }] = await history(service);
  const changedAt = Date.parse(at);
  const [before, after, ...more] = await slicesOf(service, pod.id);
  assert.deepEqual(more, []);
  const disk = Math.round((50 * 200_000) / 730);
  assert.deepEqual([before!.rate, after!.rate], [440_000 + DISK, 500_000 + disk]);
  const border = Math.max(changedAt, before!.began_at);
  assert.deepEqual([before!.ended_at, after!.began_at], [border, border]);
  assert.equal((await service.call("GET", `/v1/pods/${pod.id}`)).json.costPerHr, 0.5);
  assert.equal(micros((await balance(service)).spendPerHr), 500_000 + disk);

  await service.call("DELETE", `/v1/pods/${pod.id}`);
  const slices = await until(async () => {
    const all = await slicesOf(service, pod.id);
    return all.every(({ ended_at }) => ended_at !== null) && all;
  });
  const truth = slices.reduce(
    (sum, { rate, began_at: beganAt, carry, ended_at }) =>
      sum + owed({ rate, beganAt, carry }, ended_at!),
    0,
  );
  assert.equal(micros((await balance(service)).balance), -truth);
  assert.deepEqual(await service.service.store.read(unbalanced), []);
});

test("the catalog, quotes and new Pods have the new price", async (t) => {
  const service = await simulatedService(t);
  await change(service, {
    gpuTypes: [{ id: TYPE, securePrice: 1, communityPrice: 0.9, secureSpotPrice: 0.3 }],
    cpuFlavors: [{ id: "cpu3c", pricePerVcpu: 0.05 }],
    storage: { networkVolume: 0.73 },
  });
  const types = (await service.call("GET", "/v1/catalog/gpu-types")).json;
  assert.equal(types.find(({ id }: { id: string }) => id === TYPE).securePrice, 1);
  const fields = "securePrice lowestPrice(input: {gpuCount: 1}) { uninterruptablePrice }";
  const { gpuTypes } = await ask(service, `{ gpuTypes(input: {id: "${TYPE}"}) { ${fields} } }`);
  assert.deepEqual(gpuTypes, [{ securePrice: 1, lowestPrice: { uninterruptablePrice: 0.9 } }]);
  assert.equal((await service.call("POST", "/v1/quote", { pod: A40 })).json.costPerHr, 1);
  assert.equal((await rent(service)).costPerHr, 1);
  assert.equal((await rent(service, { interruptible: true })).costPerHr, 0.3);
  const cpu = { driver: "simulated", imageName: "i", computeType: "CPU", cpuFlavorIds: ["cpu3c"] };
  const { json } = await service.call("POST", "/v1/pods", { ...cpu, vcpuCount: 2 });
  assert.equal(json.costPerHr, 0.1);
  const place = { name: "v", size: 100, dataCenterId: "EU-RO-1" };
  const volume = (await service.call("POST", "/v1/networkvolumes", place)).json;
  assert.equal((await slicesOf(service, volume.id))[0]!.rate, 100_000);
  await change(service, { storage: { networkVolume: 1.46 } });
  const rates = (await slicesOf(service, volume.id)).map(({ rate }) => rate);
  assert.deepEqual(rates, [100_000, 200_000]);
});

test("a stopped Pod's volume has its new price, and a bid is never exceeded", async (t) => {
  const service = await simulatedService(t);
  const stopped = await rent(service, { volumeInGb: 730 });
  await service.call("POST", `/v1/pods/${stopped.id}/stop`);
  const spot = await rent(service, { interruptible: true, bidPerGpu: 0.25 });
  assert.equal(spot.costPerHr, 0.22);
  await change(service, {
    gpuTypes: [{ id: TYPE, secureSpotPrice: 0.4 }],
    storage: { volumeStopped: 0.3 },
  });
  assert.equal((await slicesOf(service, stopped.id)).at(-1)!.rate, 300_000);
  assert.equal((await service.call("GET", `/v1/pods/${spot.id}`)).json.costPerHr, 0.25);
  const again = await service.call("POST", `/v1/pods/${stopped.id}/start`);
  assert.equal(again.json.costPerHr, 0.44);
});

test("every change is recorded with its key, time and prices; null restores the file's price", async (t) => {
  const service = await simulatedService(t);
  const set = (securePrice: number | null) =>
    change(service, { gpuTypes: [{ id: TYPE, securePrice }] });
  assert.deepEqual(await history(service), []);
  for (const price of [0.5, 0.5, 0, null, null, 0.44]) assert.equal((await set(price)).status, 200);
  const changes = (await history(service)).map((each: Record<string, unknown>) => {
    assert.deepEqual([each.gpuTypeId, each.price], [TYPE, "securePrice"]);
    assert.ok(each.keyId && each.at);
    return [each.from, each.to, each.reset];
  });
  // Setting the current price changes nothing. A price that is set to the file's stays when the
  // file changes.
  assert.deepEqual(changes, [
    [0.44, 0.44, false],
    [0, 0.44, true],
    [0.5, 0, false],
    [0.44, 0.5, false],
  ]);
  const [newest, second] = await history(service, "?limit=2");
  const older = await history(service, `?before=${second.id}`);
  assert.deepEqual([newest.to, older.length], [0.44, 2]);
  const [entry] = (await service.call("GET", "/v1/audit?operation=updatePriceBook")).json;
  assert.equal(entry.resourceType, "priceBook");
});

const wrong: [body: object, sentence: RegExp][] = [
  [{ gpuTypes: [{ id: "NVIDIA A41", securePrice: 1 }] }, /did you mean "NVIDIA A40"/],
  [{ cpuFlavors: [{ id: "cpu3x", pricePerVcpu: 1 }] }, /not a CPU flavor/],
  [{ gpuTypes: [{ id: TYPE, securePrice: -1 }] }, /securePrice/],
  [{ gpuTypes: [{ id: TYPE, securePrice: 10_001 }] }, /securePrice/],
  [{ gpuTypes: [{ id: TYPE, securePrice: 0.0000001 }] }, /at most 6 decimals/],
  [{ gpuTypes: [{ id: TYPE, securePrice: "1 EUR" }] }, /securePrice/],
  [{ gpuTypes: [{ id: TYPE, price: 1 }] }, /price/],
  [{ storage: { floppy: 1 } }, /floppy/],
  [{ gpuTypes: { id: TYPE } }, /gpuTypes/],
];

test("an invalid price is refused, and so is an account that is not the operator's", async (t) => {
  const service = await simulatedService(t);
  for (const [body, sentence] of wrong) {
    const good = { storage: { containerDisk: 9 } };
    const { status, json } = await change(service, { ...good, ...body });
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(json.error, sentence);
  }
  const { json: account } = await service.call("POST", "/v1/accounts", { name: "guest" });
  const guest = { authorization: `Bearer ${account.key}` };
  const refused = await change(service, { storage: { containerDisk: 9 } }, guest);
  assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
  const list = await service.call("GET", "/v1/price-book/changes", undefined, guest);
  assert.equal(list.json.code, "forbidden");
  assert.deepEqual(await history(service), []);
  assert.equal((await service.call("GET", "/v1/price-book", undefined, guest)).status, 200);
});

test("prices survive a restart", async (t) => {
  const first = await simulatedService(t);
  await change(first, { gpuTypes: [{ id: TYPE, securePrice: 0.7 }] });
  const { dataFolder } = first;
  await first.stop();
  const service = await simulatedService(t, { dataFolder });
  const book = (await service.call("GET", "/v1/price-book")).json;
  assert.equal(book.gpuTypes.find(({ id }: { id: string }) => id === TYPE).securePrice, 0.7);
  assert.equal((await rent(service)).costPerHr, 0.7);
});

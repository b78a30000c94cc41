// Tests of prices with two replicas on one store: whichever replica changes a price or rents, each
// workload is charged the price in force.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "../../src/store/engine/statement.ts";
import { observeGpus } from "../../src/transactions/machine/gpus/observe-gpus.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const TYPE = "NVIDIA A40";
const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 64, memoryInGb: 256, diskInGb: 2_000 }) };
const POD = {
  driver: "simulated",
  imageName: "i",
  gpuTypeIds: [TYPE],
  volumeInGb: 0,
  containerDiskInGb: 0,
};

test("a price changed on one replica applies on both", { skip: missing }, async (t) => {
  const { service, a, b } = await startPair(t, { drivers: "simulated", env });
  const set = async (replica: typeof a, securePrice: number) => {
    const body = { gpuTypes: [{ id: TYPE, securePrice }] };
    const { status, text } = await replica.call("PATCH", "/v1/price-book", body);
    assert.equal(status, 200, text);
  };
  await set(a, 0.5);
  const { json: first } = await b.call("POST", "/v1/pods", POD);
  assert.equal(first.costPerHr, 0.5, "at once, before any notification");

  const created: string[] = [first.id];
  for (let generation = 0; generation < 3; generation++) {
    const creations = [a, b].map((replica) => replica.call("POST", "/v1/pods", POD));
    const changed = [a, b].map((replica, n) => set(replica, 0.6 + generation / 10 + n / 100));
    for (const { json, text } of await Promise.all(creations)) {
      assert.ok(json.id, text);
      created.push(json.id);
    }
    await Promise.all(changed);
  }
  const changes = (await b.call("GET", "/v1/price-book/changes")).json;
  assert.equal(changes.length, 7);
  for (const id of created) await until(podsOf(b).reached, id);
  const last = changes[0].to;
  for (const replica of [a, b]) {
    const costs = (await replica.call("GET", "/v1/pods")).json as { costPerHr: number }[];
    assert.deepEqual(
      costs.map(({ costPerHr }) => costPerHr),
      created.map(() => last),
    );
  }
  const open = await service.service.store.read(() =>
    rows<{ rate: number }>("select rate from usage where ended_at is null"),
  );
  assert.deepEqual(
    open.map(({ rate }) => rate),
    created.map(() => Math.round(last * 1e6)),
  );
  const book = async (replica: typeof a) => {
    const { json } = await replica.call("GET", "/v1/price-book");
    const type = json.gpuTypes.find(({ id }: { id: string }) => id === TYPE);
    return type.securePrice === last ? true : null;
  };
  for (const replica of [a, b]) await until(() => book(replica), TYPE);
});

test("a GPU that gets its price on one replica is rented on the other at once", {
  skip: missing,
}, async (t) => {
  const { service, a, b } = await startPair(t, { drivers: "simulated", env });
  const { store } = service.service;
  const id = "ACME Nova";
  const [{ id: machine }] = (await a.call("GET", "/v1/machines")).json;
  const gpus = [{ gpuTypeId: id, memoryMb: 12_282, virtual: false, indices: [0, 1] }];
  await store.write(observeGpus, machine, { gpus }, Date.now());
  const set = (securePrice: number | null) =>
    a.call("PATCH", "/v1/price-book", { gpuTypes: [{ id, securePrice }] });
  const template = { name: "t", imageName: "i", isServerless: true };
  const { json: saved } = await b.call("POST", "/v1/templates", template);
  const create = () => b.call("POST", "/v1/pods", { ...POD, gpuTypeIds: [id] });
  assert.equal((await create()).status, 400);
  assert.equal((await set(0.5)).status, 200);
  const [pod, endpoint] = await Promise.all([
    create(),
    b.call("POST", "/v1/endpoints", { templateId: saved.id, gpuTypeIds: [id], workersMax: 0 }),
  ]);
  assert.deepEqual([pod.status, pod.json.costPerHr], [201, 0.5], pod.text);
  assert.equal(endpoint.status, 200, endpoint.text);
  assert.equal((await set(null)).status, 200);
  assert.equal((await create()).status, 400);
});

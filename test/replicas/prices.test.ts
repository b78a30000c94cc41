// Prices where two replicas share one store: whoever changes one and whoever rents, what runs in the end
// costs the price in force, and what was charged is what each price was for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "../../src/store/statement.ts";
import { podsOf, until } from "../pods/stage.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const TYPE = "NVIDIA A40";
const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 64, memoryInGb: 256, diskInGb: 2_000 }) };
const POD = {
  driver: "fake",
  imageName: "i",
  gpuTypeIds: [TYPE],
  volumeInGb: 0,
  containerDiskInGb: 0,
};

test("one that is changed on one replica is paid on both", { skip: missing }, async (t) => {
  const { house, a, b } = await startPair(t, { drivers: "fake", env });
  const set = async (replica: typeof a, securePrice: number) => {
    const body = { gpuTypes: [{ id: TYPE, securePrice }] };
    const { status, text } = await replica.call("PATCH", "/v1/price-book", body);
    assert.equal(status, 200, text);
  };
  await set(a, 0.5);
  const { json: first } = await b.call("POST", "/v1/pods", POD);
  assert.equal(first.costPerHr, 0.5, "at once, and not when it is told");

  const made: string[] = [first.id];
  for (let round = 0; round < 3; round++) {
    const asked = [a, b].map((replica) => replica.call("POST", "/v1/pods", POD));
    const changed = [a, b].map((replica, n) => set(replica, 0.6 + round / 10 + n / 100));
    for (const { json, text } of await Promise.all(asked)) {
      assert.ok(json.id, text);
      made.push(json.id);
    }
    await Promise.all(changed);
  }
  const changes = (await b.call("GET", "/v1/price-book/changes")).json;
  assert.equal(changes.length, 7);
  for (const id of made) await until(podsOf(b).reached, id);
  const last = changes[0].to;
  for (const replica of [a, b]) {
    const costs = (await replica.call("GET", "/v1/pods")).json as { costPerHr: number }[];
    assert.deepEqual(
      costs.map(({ costPerHr }) => costPerHr),
      made.map(() => last),
    );
  }
  const open = await house.house.store.read(() =>
    rows<{ rate: number }>("select rate from usage where ended_at is null"),
  );
  assert.deepEqual(
    open.map(({ rate }) => rate),
    made.map(() => Math.round(last * 1e6)),
  );
  const book = async (replica: typeof a) => {
    const { json } = await replica.call("GET", "/v1/price-book");
    const type = json.gpuTypes.find(({ id }: { id: string }) => id === TYPE);
    return type.securePrice === last ? true : null;
  };
  for (const replica of [a, b]) await until(() => book(replica), TYPE);
});

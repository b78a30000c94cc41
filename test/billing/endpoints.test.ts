// What the workers of endpoints cost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeHouse, until } from "../pods/stage.ts";

test("a worker is billed from its start to its end, by the whole second", async (t) => {
  const house = await fakeHouse(t);
  const balance = async () => (await house.call("GET", "/v1/balance")).json;
  const template = {
    imageName: "a/b:1",
    dockerStartCmd: ["fake-worker"],
    driver: "fake" as const,
  };
  const make = (spec: object) =>
    house.makeEndpoint({ template, spec: { workersMin: 1, workersMax: 1, ...spec } });
  const onCpus = await make({ computeType: "CPU", cpuFlavorIds: ["cpu3g"], vcpuCount: 4 });
  const onGpus = await make({ gpuTypeIds: ["NVIDIA L4"], gpuCount: 2 });
  // Four CPUs at 0.04 dollars per hour; two L4 at 0.00019 dollars per second.
  const rates = { [onCpus]: 160_000, [onGpus]: 2 * 0.19e-3 * 3_600 * 1e6 };
  const all = Object.values(rates).reduce((sum, rate) => sum + rate, 0);
  await until(async () => ((await balance()).spendPerHr === all / 1e6 ? true : null), "");
  for (const id of [onCpus, onGpus]) await house.call("DELETE", `/v1/endpoints/${id}`);
  await until(async () => ((await balance()).spendPerHr === 0 ? true : null), "");

  const read = async (query: string) =>
    (await house.call("GET", `/v1/billing/endpoints?bucketSize=year&${query}`)).json;
  const records = await read("");
  assert.equal(records.length, 2);
  for (const { endpointId, timeBilledMs, amount, diskSpaceBilledGb } of records) {
    assert.ok(timeBilledMs > 0 && timeBilledMs % 1_000 === 0, `${timeBilledMs} ms`);
    assert.equal(diskSpaceBilledGb, 0);
    const truth = Math.floor((rates[endpointId]! * timeBilledMs) / 3_600_000);
    assert.equal(Math.round(amount * 1e6), truth);
  }
  const byType = await read("grouping=gpuTypeId&gpuTypeId=NVIDIA%20L4");
  assert.deepEqual(
    byType.map((each: { gpuTypeId: string }) => each.gpuTypeId),
    ["NVIDIA L4"],
  );
  const byWorker = await read(`grouping=podId&endpointId=${onGpus}`);
  assert.equal(byWorker.length, 1);
  assert.equal(byWorker[0].amount, byType[0].amount);
  assert.equal((await read("imageName=a%2Fb%3A1")).length, 2);
  assert.deepEqual(await read("imageName=other"), []);
});

// What Pods cost, as their owner reads it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS, owed } from "../../src/domain/money/owed.ts";
import { chargeAll } from "../../src/store/money/pass.ts";
import type { TestHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";

const A40 = { driver: "fake", imageName: "i", gpuTypeIds: ["NVIDIA A40"], gpuCount: 8 };

const micros = (dollars: number) => Math.round(dollars * 1_000_000);

const billing = async (house: TestHouse, query = "") =>
  (await house.call("GET", `/v1/billing/pods?${query}`)).json;

const balance = async (house: TestHouse) => (await house.call("GET", "/v1/balance")).json;

async function chargeUntil(house: TestHouse, at: number): Promise<void> {
  await chargeAll(house.house.store, at, 100);
}

test("a Pod is billed from when it was seen running to when it was told to stop", async (t) => {
  const house = await fakeHouse(t);
  assert.deepEqual(await balance(house), { balance: 0, spendPerHr: 0, limited: false });
  const { json: pod } = await house.call("POST", "/v1/pods", { ...A40, volumeInGb: 0 });
  const running = await until(podsOf(house).reached, pod.id);
  // Eight A40 and 50 GB of container disk, by the price book that comes with the service.
  const rate = 8 * 440_000 + Math.round((50 * 100_000) / 730);
  assert.equal(micros((await balance(house)).spendPerHr), rate);
  await house.call("POST", `/v1/pods/${pod.id}/stop`);
  assert.equal((await balance(house)).spendPerHr, 0);

  const [record, ...more] = await billing(house, "grouping=podId&bucketSize=year");
  assert.deepEqual(more, []);
  const beganAt = Date.parse(running.lastStartedAt!);
  const truth = owed({ rate, beganAt, carry: 0 }, beganAt + record.timeBilledMs);
  assert.equal(micros(record.amount), truth);
  assert.equal(record.podId, pod.id);
  assert.equal(record.diskSpaceBilledGb, 50);
  assert.equal(micros((await balance(house)).balance), -truth);
  const stoppedAt = beganAt + record.timeBilledMs;
  await chargeUntil(house, stoppedAt + HOUR_MS);
  assert.equal(micros((await balance(house)).balance), -truth);
});

test("a stopped Pod's volume is billed until it is deleted, and every history agrees", async (t) => {
  const house = await fakeHouse(t);
  const ids: string[] = [];
  for (const gpuTypeIds of [["NVIDIA A40"], ["NVIDIA L40S"]]) {
    const { json } = await house.call("POST", "/v1/pods", { ...A40, gpuTypeIds, volumeInGb: 730 });
    await until(podsOf(house).reached, json.id);
    ids.push(json.id);
  }
  for (const id of ids) await house.call("POST", `/v1/pods/${id}/stop`);
  // 730 GB at 0.20 dollars per GB and month are 0.20 dollars per hour.
  assert.equal((await balance(house)).spendPerHr, 0.4);
  const now = Date.now();
  await chargeUntil(house, now + 30 * HOUR_MS);
  for (const id of ids) await house.call("DELETE", `/v1/pods/${id}`);
  assert.equal((await balance(house)).spendPerHr, 0);

  const end = `endTime=${new Date(now + 40 * HOUR_MS).toISOString()}`;
  const sums = new Set<number>();
  for (const grouping of ["podId", "gpuTypeId"]) {
    for (const bucketSize of ["hour", "day", "week", "month", "year"]) {
      const records = await billing(house, `${end}&grouping=${grouping}&bucketSize=${bucketSize}`);
      sums.add(
        records.reduce((sum: number, { amount }: { amount: number }) => sum + micros(amount), 0),
      );
    }
  }
  for (const sum of sums) assert.equal(sum, -micros((await balance(house)).balance));
  assert.equal(sums.size, 1);

  const only = await billing(
    house,
    `${end}&bucketSize=year&gpuTypeId=${encodeURIComponent("NVIDIA L40S")}`,
  );
  assert.deepEqual(
    new Set(only.map((each: { gpuTypeId: string }) => each.gpuTypeId)),
    new Set(["NVIDIA L40S"]),
  );
  const csv = await house.call(
    "GET",
    `/v1/billing/pods?${end}&bucketSize=year&grouping=podId&format=csv`,
  );
  assert.match(csv.headers.get("content-type")!, /^text\/csv/);
  assert.match(csv.text, /^amount,time,timeBilledMs,diskSpaceBilledGb,podId\r\n/);
});

test("a window that makes no sense is refused with a sentence", async (t) => {
  const house = await fakeHouse(t);
  const table: [string, RegExp][] = [
    ["startTime=2026-02-01T00:00:00Z&endTime=2026-01-01T00:00:00Z", /before "endTime"/],
    ["bucketSize=hour&startTime=2020-01-01T00:00:00Z", /92 days by hour\. Ask by day/],
    ["bucketSize=minute", /"bucketSize"/],
    ["startTime=yesterday", /"startTime"/],
    ["grouping=endpointId", /"grouping"/],
  ];
  for (const [query, sentence] of table) {
    const answer = await house.call("GET", `/v1/billing/pods?${query}`);
    assert.deepEqual([answer.status, answer.json.code], [400, "invalid_query"], query);
    assert.match(answer.json.error, sentence);
  }
  for (const path of ["endpoints", "networkvolumes"]) {
    assert.deepEqual((await house.call("GET", `/v1/billing/${path}`)).json, []);
  }
});

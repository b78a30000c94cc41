// What Pods cost, as the billing history shows it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/units.ts";
import { owed } from "../../src/domain/money/owed.ts";
import type { SimulatedDriver } from "../../src/drivers/simulated/simulated-driver.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { skewEngine } from "../fixtures/simulated-driver/skewed-engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const A40 = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], gpuCount: 8 };

const micros = (dollars: number) => Math.round(dollars * 1_000_000);

const billing = async (service: TestService, query = "") =>
  (await service.call("GET", `/v1/billing/pods?${query}`)).json;

const balance = async (service: TestService) => (await service.call("GET", "/v1/balance")).json;

async function chargeUntil(service: TestService, at: number): Promise<void> {
  await chargeAll(service.service.store, at, 100);
}

test("a Pod is billed from the start of its container to its end", async (t) => {
  const service = await simulatedService(t);
  assert.deepEqual(await balance(service), { balance: 0, spendPerHr: 0, limited: false });
  const { json: pod } = await service.call("POST", "/v1/pods", { ...A40, volumeInGb: 0 });
  const running = await until(podsOf(service).reached, pod.id);
  // Eight A40 and 50 GB of container disk, by the price book that comes with the service.
  const rate = 8 * 440_000 + Math.round((50 * 100_000) / 730);
  assert.equal(micros((await balance(service)).spendPerHr), rate);
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  await until(async () => (await balance(service)).spendPerHr === 0);

  const [record, ...more] = await billing(service, "grouping=podId&bucketSize=year");
  assert.deepEqual(more, []);
  const beganAt = Date.parse(running.lastStartedAt!);
  const truth = owed({ rate, beganAt, carry: 0 }, beganAt + record.timeBilledMs);
  assert.equal(micros(record.amount), truth);
  assert.equal(record.podId, pod.id);
  assert.equal(record.diskSpaceBilledGb, 50);
  assert.equal(micros((await balance(service)).balance), -truth);
  const stoppedAt = beganAt + record.timeBilledMs;
  await chargeUntil(service, stoppedAt + HOUR_MS);
  assert.equal(micros((await balance(service)).balance), -truth);
});

for (const minutes of [10, -10]) {
  test(`a Pod is billed for its time by an engine whose clock is off by ${minutes} minutes`, async (t) => {
    const service = await simulatedService(t, virtual);
    const driver = service.service.drivers[0] as SimulatedDriver;
    skewEngine(driver, () => minutes * 60_000);
    const { json: pod } = await service.call("POST", "/v1/pods", { ...A40, volumeInGb: 0 });
    await until(podsOf(service).reached, pod.id);
    const billedMs = async () => {
      const [record] = await billing(service, "grouping=podId&bucketSize=year");
      return record?.timeBilledMs ?? 0;
    };
    const check = async () => {
      const ms = await billedMs();
      assert.ok(ms >= 20_000 && ms < 300_000, `${ms} ms are billed`);
    };
    await advance(service, "20s");
    await check();
    driver.control(pod.id, { exitNow: 0 });
    await until(podsOf(service).unreached, pod.id);
    await check();
  });
}

test("a stopped Pod's volume is billed until it is deleted, and every history agrees", async (t) => {
  const service = await simulatedService(t);
  const ids: string[] = [];
  for (const gpuTypeIds of [["NVIDIA A40"], ["NVIDIA L40S"]]) {
    const { json } = await service.call("POST", "/v1/pods", {
      ...A40,
      gpuTypeIds,
      volumeInGb: 730,
    });
    await until(podsOf(service).reached, json.id);
    ids.push(json.id);
  }
  for (const id of ids) await service.call("POST", `/v1/pods/${id}/stop`);
  // 730 GB at 0.20 dollars per GB and month are 0.20 dollars per hour.
  await until(async () => (await balance(service)).spendPerHr === 0.4);
  const now = Date.now();
  await chargeUntil(service, now + 30 * HOUR_MS);
  for (const id of ids) await service.call("DELETE", `/v1/pods/${id}`);
  assert.equal((await balance(service)).spendPerHr, 0);

  const end = `endTime=${new Date(now + 40 * HOUR_MS).toISOString()}`;
  const sums = new Set<number>();
  for (const grouping of ["podId", "gpuTypeId"]) {
    for (const bucketSize of ["hour", "day", "week", "month", "year"]) {
      const records = await billing(
        service,
        `${end}&grouping=${grouping}&bucketSize=${bucketSize}`,
      );
      sums.add(
        records.reduce((sum: number, { amount }: { amount: number }) => sum + micros(amount), 0),
      );
    }
  }
  for (const sum of sums) assert.equal(sum, -micros((await balance(service)).balance));
  assert.equal(sums.size, 1);

  const only = await billing(
    service,
    `${end}&bucketSize=year&gpuTypeId=${encodeURIComponent("NVIDIA L40S")}`,
  );
  assert.deepEqual(
    new Set(only.map((each: { gpuTypeId: string }) => each.gpuTypeId)),
    new Set(["NVIDIA L40S"]),
  );
  const csv = await service.call(
    "GET",
    `/v1/billing/pods?${end}&bucketSize=year&grouping=podId&format=csv`,
  );
  assert.match(csv.headers.get("content-type")!, /^text\/csv/);
  assert.match(csv.text, /^amount,time,timeBilledMs,diskSpaceBilledGb,podId\r\n/);
});

test("an invalid window is refused with an explanation", async (t) => {
  const service = await simulatedService(t);
  const table: [string, RegExp][] = [
    ["startTime=2026-02-01T00:00:00Z&endTime=2026-01-01T00:00:00Z", /before "endTime"/],
    [
      "bucketSize=hour&startTime=2020-01-01T00:00:00Z",
      /92 days apart with bucketSize hour\. Use bucketSize day/,
    ],
    ["bucketSize=minute", /"bucketSize"/],
    ["startTime=yesterday", /"startTime"/],
    ["grouping=endpointId", /"grouping"/],
  ];
  for (const [query, sentence] of table) {
    const answer = await service.call("GET", `/v1/billing/pods?${query}`);
    assert.deepEqual([answer.status, answer.json.code], [400, "invalid_query"], query);
    assert.match(answer.json.error, sentence);
  }
  for (const path of ["endpoints", "networkvolumes"]) {
    assert.deepEqual((await service.call("GET", `/v1/billing/${path}`)).json, []);
  }
});

// What network volumes cost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/units.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import { simulatedService } from "../pods/fixture.ts";

test("a network volume is billed by its size per hour until it is deleted", async (t) => {
  const service = await simulatedService(t);
  const balance = async () => (await service.call("GET", "/v1/balance")).json;
  const wanted = { name: "v", size: 1_460, dataCenterId: "EU-RO-1" };
  const { json: volume } = await service.call("POST", "/v1/networkvolumes", wanted);
  // 0.07 dollars per GB and month for the first 1,000 GB, 0.05 beyond; a month has 730 hours.
  assert.equal((await balance()).spendPerHr, Math.round(93_000_000 / 730) / 1_000_000);
  await service.call("PATCH", `/v1/networkvolumes/${volume.id}`, { size: 2_460 });
  const rate = Math.round(143_000_000 / 730);
  assert.equal((await balance()).spendPerHr, rate / 1_000_000);
  const now = Date.now();
  await chargeAll(service.service.store, now + 5 * HOUR_MS, 100);
  assert.equal((await service.call("DELETE", `/v1/networkvolumes/${volume.id}`)).status, 204);
  const after = await balance();
  assert.equal(after.spendPerHr, 0);
  // Whole hours at its last size, and the short time at its first size.
  const micros = Math.round(-after.balance * 1_000_000);
  assert.ok(micros >= rate && micros < rate + 200, `${micros} for ${rate}`);
  const records = (await service.call("GET", "/v1/billing/networkvolumes?bucketSize=year")).json;
  const sum = records.reduce((all: number, { amount }: { amount: number }) => all + amount, 0);
  assert.equal(Math.round(sum * 1_000_000), micros);
  assert.equal(records[0].diskSpaceBilledGb, 2_460);
});

// A year of an account with money in it: Pods, a savings plan, a budget and a balance that ends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unbalanced } from "../../src/store/ledger/ledger.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";

const HOUR_MS = 3_600_000;
const A40 = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };
const PLAN_HOURS = 2_190;
/** Its GPU and its container disk. */
const A40_PER_HOUR = 0.446849;

const micros = (dollars: number) => Math.round(dollars * 1e6);

test("a year passes, and every deadline and every dollar is exact", async (t) => {
  const env = { FREEHOLD_CLOCK: "virtual" };
  const service = await startService(t, { replicas: null, env });
  const call = async (method: string, route: string, body?: object, headers = {}) => {
    const answer = await service.call(method, route, body, headers);
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  const advance = (span: string) => call("POST", "/v1/clock", { advance: span });
  await call("POST", "/v1/clock", { to: "2040-01-01T00:00:00Z" });
  await call("POST", "/v1/balance/credits", { amount: 3_000 });
  const team = await call("POST", "/v1/keys", { name: "team" });
  const budget = await call("POST", "/v1/budgets", {
    keyId: team.id,
    period: "month",
    limit: 20,
  });
  const covered = await call("POST", "/v1/pods", A40);
  const budgeted = await call("POST", "/v1/pods", A40, { authorization: `Bearer ${team.key}` });
  for (const { id } of [covered, budgeted]) await until(podsOf(service).reached, id);
  const plan = await call("POST", "/v1/savings-plans", {
    gpuTypeId: "NVIDIA A40",
    planLength: "threeMonth",
    podId: covered.id,
  });
  const { emptyAt } = await call("GET", "/v1/balance");
  const { createdAt } = covered;
  assert.ok(Date.parse(emptyAt) > Date.parse(createdAt) + PLAN_HOURS * HOUR_MS);

  await advance("10d");
  const stopped = await call("GET", `/v1/pods/${budgeted.id}`);
  assert.equal(stopped.desiredStatus, "EXITED");
  const { spent, spentAt } = await call("GET", `/v1/budgets/${budget.id}`);
  // Time flows between the moves, and the Pod stops in the first whole millisecond after the limit.
  assert.ok([20_000_000, 20_000_001].includes(micros(spent)), `${spent} dollars are spent`);
  const ranHours = (Date.parse(spentAt) - Date.parse(createdAt)) / HOUR_MS;
  assert.ok(Math.abs(ranHours * A40_PER_HOUR - 20) < 0.01, `stopped after ${ranHours} h`);

  await advance("100d");
  assert.deepEqual((await call("GET", `/v1/savings-plans/${plan.id}`)).active, false);
  const beforeEmpty = await call("GET", "/v1/balance");
  assert.equal(beforeEmpty.spendPerHr, A40_PER_HOUR);
  await call("POST", "/v1/clock", { to: beforeEmpty.emptyAt });
  const empty = await call("GET", "/v1/balance");
  assert.ok(Math.abs(empty.balance) < 0.000_01, `${empty.balance} dollars are left`);
  assert.equal((await call("GET", `/v1/pods/${covered.id}`)).desiredStatus, "EXITED");

  await advance("255d");
  assert.equal((await service.call("GET", `/v1/pods/${covered.id}`)).status, 404);
  const { balance } = await call("GET", "/v1/balance");
  const pods = await call("GET", `/v1/billing/pods?startTime=${createdAt}`);
  const charged = pods.reduce(
    (sum: number, { amount }: { amount: number }) => sum + micros(amount),
    0,
  );
  assert.equal(micros(3_000 - balance), charged + micros(plan.upfrontCost));
  assert.deepEqual(await service.service.store.read(unbalanced), []);
});

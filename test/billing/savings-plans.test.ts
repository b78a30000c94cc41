// Savings plans: buying GPUs in advance, and what the plans cover.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unbalanced } from "../../src/store/ledger/ledger.ts";
import { endPlans } from "../../src/transactions/savings-plan/cover.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { ask, refusal } from "../graphql/ask.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const TYPE = "NVIDIA A40";
const A40 = { driver: "simulated", imageName: "i", gpuTypeIds: [TYPE], volumeInGb: 0 };
const THREE = { gpuTypeId: TYPE, planLength: "threeMonth" };
const HOUR_MS = 3_600_000;
const HOURS = 2_190;
const UPFRONT = 0.37 * HOURS;

const micros = (dollars: number) => Math.round(dollars * 1e6);
const balance = async (service: TestService) => (await service.call("GET", "/v1/balance")).json;
const credit = (service: TestService, amount: number) =>
  service.call("POST", "/v1/balance/credits", { amount });
const buy = (service: TestService, body: object, headers: Record<string, string> = {}) =>
  service.call("POST", "/v1/savings-plans", body, headers);
const podOf = async (service: TestService, id: string) =>
  (await service.call("GET", `/v1/pods/${id}?includeSavingsPlans=true`)).json;

async function rent(service: TestService, more: object = {}) {
  const { status, json, text } = await service.call("POST", "/v1/pods", { ...A40, ...more });
  assert.equal(status, 201, text);
  await until(podsOf(service).reached, json.id);
  return json;
}

test("a plan is paid at once, and the GPUs of its Pod cost nothing", async (t) => {
  const service = await simulatedService(t);
  const pod = await rent(service, { gpuCount: 2 });
  assert.deepEqual([pod.costPerHr, pod.adjustedCostPerHr], [0.88, 0.88]);
  const before = await balance(service);
  const wanted = { ...THREE, podId: pod.id, upfrontCost: UPFRONT };
  const { status, json: plan, text } = await buy(service, wanted);
  assert.equal(status, 201, text);
  const { id, startTime, endTime, ...rest } = plan;
  const price = { costPerHr: 0.37, upfrontCost: UPFRONT, planLength: "threeMonth" };
  assert.deepEqual(rest, { podId: pod.id, gpuTypeId: TYPE, gpuCount: 1, ...price, active: true });
  assert.equal(Date.parse(endTime) - Date.parse(startTime), HOURS * HOUR_MS);

  const current = await podOf(service, pod.id);
  assert.deepEqual([current.costPerHr, current.adjustedCostPerHr], [0.88, 0.44]);
  assert.deepEqual(current.savingsPlans, [plan]);
  const after = await balance(service);
  assert.equal(micros(before.spendPerHr - after.spendPerHr), 440_000);
  assert.ok(after.balance <= -UPFRONT && after.balance > -UPFRONT - 1);
  assert.deepEqual((await service.call("GET", "/v1/savings-plans")).json, [plan]);
  assert.deepEqual((await service.call("GET", `/v1/savings-plans/${id}`)).json, plan);
  assert.deepEqual(await service.service.store.read(unbalanced), []);
});

test("a plan moves to the next Pod with its GPU type, and to no other", async (t) => {
  const service = await simulatedService(t);
  const first = await rent(service);
  await buy(service, { ...THREE, podId: first.id });
  const [second, spot, other] = [
    await rent(service),
    await rent(service, { interruptible: true }),
    await rent(service, { gpuTypeIds: ["NVIDIA L40S"] }),
  ];
  const adjusted = async () => {
    const pods = [first, second, spot, other].map(({ id }) => podOf(service, id));
    return (await Promise.all(pods)).map(({ adjustedCostPerHr: cost }) => cost);
  };
  const full = [first, second, spot, other].map(({ costPerHr }) => costPerHr);
  assert.deepEqual(await adjusted(), [0, ...full.slice(1)]);
  await service.call("POST", `/v1/pods/${first.id}/stop`);
  assert.deepEqual(await adjusted(), [full[0], 0, ...full.slice(2)]);
  await service.call("POST", `/v1/pods/${first.id}/start`);
  assert.deepEqual(await adjusted(), [full[0], 0, ...full.slice(2)]);
  await service.call("DELETE", `/v1/pods/${second.id}`);
  assert.equal((await podOf(service, first.id)).adjustedCostPerHr, 0);
  const [plan] = (await service.call("GET", "/v1/savings-plans")).json;
  assert.equal(plan.podId, first.id);
});

test("after a plan's end its Pod costs the full price", async (t) => {
  const service = await simulatedService(t);
  const pod = await rent(service);
  const { spendPerHr } = await balance(service);
  const { json: plan } = await buy(service, { ...THREE, planLength: "sixMonth" });
  assert.equal((await podOf(service, pod.id)).adjustedCostPerHr, 0);
  const { store } = service.service;
  const family = { accountId: pod.consumerUserId, gpuTypeId: TYPE };
  const end = Date.parse(plan.endTime);
  await store.write(endPlans, family, end - 1);
  assert.equal((await podOf(service, pod.id)).adjustedCostPerHr, 0);
  await store.write(endPlans, family, end + HOUR_MS);
  const current = await podOf(service, pod.id);
  assert.deepEqual([current.adjustedCostPerHr, current.savingsPlans], [current.costPerHr, []]);
  assert.equal((await service.call("GET", `/v1/savings-plans/${plan.id}`)).json.active, false);
  assert.ok(spendPerHr > 0);
});

test("an account with a plan needs credits only for the rest, and a quote says so", async (t) => {
  const service = await simulatedService(t);
  await credit(service, UPFRONT);
  const both = { ...THREE, gpuCount: 2 };
  const poor = await buy(service, both);
  assert.deepEqual([poor.status, poor.json.code], [402, "no_credits"]);
  assert.deepEqual((await service.call("GET", "/v1/savings-plans")).json, []);
  const headers = { "idempotency-key": "once" };
  const bought = await buy(service, THREE, headers);
  assert.equal(bought.status, 201, bought.text);
  assert.deepEqual((await buy(service, THREE, headers)).json, bought.json);
  assert.equal((await buy(service, both, headers)).json.code, "idempotency_conflict");
  assert.equal((await balance(service)).balance, 0);
  // One cent for the disk; the plan covers the GPU.
  await credit(service, 0.01);
  const quote = await service.call("POST", "/v1/quote", { pod: A40 });
  assert.partialDeepStrictEqual(quote.json, { costPerHr: 0.44, adjustedCostPerHr: 0 });
  assert.equal(quote.json.refused, undefined);
  assert.equal(micros(quote.json.totalPerHr), micros(quote.json.disksPerHr));
  await rent(service);
  const { json } = await service.call("POST", "/v1/quote", { pod: A40 });
  assert.deepEqual([json.adjustedCostPerHr, json.refused.code], [0.44, "no_credits"]);
});

const wrong: [body: object, code: string, sentence: RegExp][] = [
  [{ ...THREE, gpuTypeId: "NVIDIA A41" }, "invalid_body", /did you mean "NVIDIA A40"/],
  [{ ...THREE, planLength: "oneWeek" }, "invalid_body", /"planLength"/],
  [{ ...THREE, gpuCount: 0 }, "invalid_body", /"gpuCount"/],
  [{ ...THREE, gpuCount: 1.5 }, "invalid_body", /"gpuCount"/],
  [{ ...THREE, upfrontCost: 1 }, "invalid_body", /costs 810\.3 dollars/],
  [{ ...THREE, upfrontCost: -1 }, "invalid_body", /"upfrontCost"/],
  [{ ...THREE, podId: "nope" }, "invalid_body", /there is no "nope"/],
  [{ gpuTypeId: TYPE }, "invalid_body", /"planLength" is missing/],
  [{ ...THREE, color: 1 }, "unknown_field", /color/],
];

test("an invalid plan is refused with an explanation, and nothing is bought", async (t) => {
  const service = await simulatedService(t);
  for (const [body, code, sentence] of wrong) {
    const { status, json } = await buy(service, body);
    assert.deepEqual([status, json.code], [400, code], JSON.stringify(body));
    assert.match(json.error, sentence);
  }
  const spot = await rent(service, { interruptible: true });
  assert.match((await buy(service, { ...THREE, podId: spot.id })).json.error, /on-demand/);
  assert.equal((await service.call("GET", "/v1/savings-plans/nope")).status, 404);
  assert.deepEqual((await service.call("GET", "/v1/savings-plans")).json, []);
  const { json: key } = await service.call("POST", "/v1/keys", { name: "held" });
  await service.call("POST", "/v1/budgets", { keyId: key.id, period: "day", limit: 1 });
  const held = await buy(service, THREE, { authorization: `Bearer ${key.key}` });
  assert.deepEqual([held.status, held.json.code], [403, "forbidden"]);
});

test("the operator grants plans to any account", async (t) => {
  const service = await simulatedService(t);
  const { json: account } = await service.call("POST", "/v1/accounts", { name: "guest" });
  const path = `/v1/accounts/${account.id}/savings-plans`;
  const { status, json, text } = await service.call("POST", path, { ...THREE, gpuCount: 8 });
  assert.equal(status, 201, text);
  assert.deepEqual([json.upfrontCost, json.costPerHr, json.gpuCount], [0, 0, 8]);
  const guest = { authorization: `Bearer ${account.key}` };
  assert.deepEqual((await service.call("GET", "/v1/savings-plans", undefined, guest)).json, [json]);
  assert.equal((await service.call("POST", path, THREE, guest)).json.code, "forbidden");
  const nobody = await service.call("POST", "/v1/accounts/nobody/savings-plans", THREE);
  assert.equal(nobody.json.code, "account_not_found");
  const audit = (await service.call("GET", `/v1/audit?operation=grantSavingsPlan`)).json;
  const outcomes = audit.map(({ outcome }: { outcome: string }) => outcome);
  assert.deepEqual(outcomes, ["refused", "done"]);
});

const deploy = `mutation D($input: PodFindAndDeployOnDemandInput) {
  podFindAndDeployOnDemand(input: $input) {
    id costPerHr adjustedCostPerHr
    savingsPlans { id podId gpuTypeId savingsPlanType costPerHr upfrontCost planLength pod { id } }
  } }`;

test("a plan is bought with a Pod over GraphQL, at the quoted price", async (t) => {
  const service = await simulatedService(t);
  const prices = '{ gpuTypes(input: {id: "NVIDIA A40"}) { threeMonthPrice sixMonthPrice } }';
  const [type] = (await ask(service, prices)).gpuTypes;
  assert.deepEqual(type, { threeMonthPrice: 0.37, sixMonthPrice: 0.35 });
  const upfrontCost = 2 * type.sixMonthPrice * 2 * HOURS;
  const input = {
    driver: "simulated",
    imageName: "i",
    gpuTypeId: TYPE,
    gpuCount: 2,
    volumeInGb: 0,
  };
  const savingsPlan = { planLength: "sixMonth", upfrontCost };
  const cheap = { ...input, savingsPlan: { ...savingsPlan, upfrontCost: 1 } };
  assert.match((await refusal(service, deploy, { input: cheap })).message, /costs 3066 dollars/);
  const { podFindAndDeployOnDemand: pod } = await ask(service, deploy, {
    input: { ...input, cloudType: "SECURE", savingsPlan },
  });
  assert.deepEqual([pod.costPerHr, pod.adjustedCostPerHr], [0.88, 0]);
  const [plan] = pod.savingsPlans;
  assert.deepEqual(plan, {
    id: plan.id,
    podId: pod.id,
    gpuTypeId: TYPE,
    savingsPlanType: "PREPAID",
    costPerHr: 0.35,
    upfrontCost,
    planLength: "sixMonth",
    pod: { id: pod.id },
  });
  const mine = await ask(service, "{ myself { savingsPlans { id gpuType { id } endTime } } }");
  assert.deepEqual([mine.myself.savingsPlans.length, mine.myself.savingsPlans[0].id], [1, plan.id]);
});

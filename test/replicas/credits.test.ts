// Tests of credits with two replicas on one store: what one replica spends, the other does not spend again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unbalanced } from "../../src/store/ledger/ledger.ts";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const TYPE = "NVIDIA A40";
const UPFRONT = 0.37 * 2_190;
const ROUNDS = 8;
const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 256, memoryInGb: 999, diskInGb: 9_000 }) };
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [TYPE], volumeInGb: 0 };
const PLAN = { gpuTypeId: TYPE, planLength: "threeMonth" };

test("two replicas never spend the same credits", { skip: missing }, async (t) => {
  const { service, a, b } = await startPair(t, { drivers: "simulated", env });
  const balance = async () => (await a.call("GET", "/v1/balance")).json.balance as number;
  const setBalance = async (amount: number) => {
    const change = Number((amount - (await balance())).toFixed(6));
    await a.call("POST", "/v1/balance/credits", { amount: change });
  };
  // A Pod is billed until its container has ended.
  const untilUnbilled = () =>
    until(async () => (await a.call("GET", "/v1/balance")).json.spendPerHr === 0);
  const removePods = async () => {
    for (const { id } of (await a.call("GET", "/v1/pods")).json)
      await a.call("DELETE", `/v1/pods/${id}`);
    await untilUnbilled();
  };
  const both = async <Answer>(request: (replica: typeof a) => Promise<Answer>) =>
    await Promise.all([a, b, a, b].map(request));

  for (let round = 0; round < ROUNDS; round++) {
    await removePods();
    await setBalance(UPFRONT + 0.1);
    const plans = await both((replica) => replica.call("POST", "/v1/savings-plans", PLAN));
    assert.equal(plans.filter(({ status }) => status === 201).length, 1, `plans, round ${round}`);
    assert.ok((await balance()) >= 0);
  }
  for (let round = 0; round < ROUNDS; round++) {
    await removePods();
    await setBalance(10);
    const spot = { ...POD, interruptible: true };
    const price = (await a.call("POST", "/v1/pods", spot)).json.costPerHr;
    await removePods();
    await setBalance(price + 0.01);
    const pods = await both((replica) => replica.call("POST", "/v1/pods", spot));
    assert.equal(pods.filter(({ status }) => status === 201).length, 1, `Pods, round ${round}`);
  }
  await removePods();
  await setBalance(100);
  // Each fills a machine, so that only the account connects their starts. No plan covers the type.
  const whole = { ...POD, gpuTypeIds: ["NVIDIA L40S"], gpuCount: 8 };
  const stopped: { id: string; costPerHr: number }[] = [];
  for (let n = 0; n < 2; n++) stopped.push((await a.call("POST", "/v1/pods", whole)).json);
  const [first, second] = stopped;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { id } of stopped) await a.call("POST", `/v1/pods/${id}/stop`);
    await untilUnbilled();
    await setBalance(first!.costPerHr + 0.1);
    const starts = await Promise.all([
      a.call("POST", `/v1/pods/${first!.id}/start`),
      b.call("POST", `/v1/pods/${second!.id}/start`),
    ]);
    assert.equal(starts.filter(({ status }) => status === 200).length, 1, `starts, round ${round}`);
  }
  for (let round = 0; round < ROUNDS; round++) {
    await removePods();
    await setBalance(UPFRONT + 1);
    const input = `imageName: "i", gpuTypeId: "${TYPE}", gpuCount: 1, volumeInGb: 0, driver: "simulated",
      savingsPlan: {planLength: "threeMonth", upfrontCost: ${UPFRONT}}`;
    const document = `mutation { podFindAndDeployOnDemand(input: {${input}}) { id } }`;
    const answers = await both((replica) => replica.call("POST", "/graphql", { query: document }));
    const created = answers.filter(({ json }) => json.data?.podFindAndDeployOnDemand);
    assert.equal(created.length, 1, `Pods with plans, round ${round}: ${answers[0]!.text}`);
    assert.ok((await balance()) >= 0);
  }
  assert.deepEqual(await service.service.store.read(unbalanced), []);
});

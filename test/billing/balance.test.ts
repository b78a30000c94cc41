// Credits: what an account may use once it has some, and what happens when none are left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unbalanced } from "../../src/store/money/books.ts";
import { chargeAll } from "../../src/store/money/pass.ts";
import type { TestHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";

const A40 = { driver: "fake", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

const balance = async (house: TestHouse) => (await house.call("GET", "/v1/balance")).json;
const credit = (house: TestHouse, amount: unknown, headers: Record<string, string> = {}) =>
  house.call("POST", "/v1/balance/credits", { amount, note: "test" }, headers);

test("an account is metered and unlimited until it is given credits", async (t) => {
  const house = await fakeHouse(t);
  const { json: pod } = await house.call("POST", "/v1/pods", A40);
  await until(podsOf(house).reached, pod.id);
  const before = await balance(house);
  assert.equal(before.limited, false);
  assert.equal(before.emptyAt, undefined);
  const given = await credit(house, 10);
  assert.equal(given.status, 201);
  assert.equal(given.json.limited, true);
  assert.ok(given.json.balance > 9.99 && given.json.balance <= 10);
  const hours = (Date.parse(given.json.emptyAt) - Date.now()) / 3_600_000;
  assert.ok(Math.abs(hours - given.json.balance / given.json.spendPerHr) < 0.01);
  assert.deepEqual(await house.house.store.read(unbalanced), []);
});

test("who has not an hour's credits rents nothing; what is missing is told", async (t) => {
  const house = await fakeHouse(t);
  await credit(house, 0.44);
  const refused = await house.call("POST", "/v1/pods", A40);
  assert.deepEqual([refused.status, refused.json.code], [402, "no_credits"]);
  assert.match(refused.json.error, /0\.006849 dollars are missing/);
  assert.deepEqual((await house.call("GET", "/v1/pods")).json, []);
  await credit(house, 0.006849);
  assert.equal((await house.call("POST", "/v1/pods", A40)).status, 201);
});

test("credits that last for a short while only are warned of once, until there are more", async (t) => {
  const house = await fakeHouse(t, { protocol: { lowBalanceMs: 3_600_000 } });
  await credit(house, 2);
  const { json: pod } = await house.call("POST", "/v1/pods", A40);
  await until(podsOf(house).reached, pod.id);
  assert.equal((await balance(house)).lowSince, undefined);
  await credit(house, -1.6);
  const low = await until(async () => {
    const seen = await balance(house);
    return seen.lowSince && seen;
  }, "low");
  await credit(house, -0.01);
  const system = async (): Promise<{ line: string }[]> =>
    (await house.call("GET", `/v1/pods/${pod.id}/logs?kind=system`)).json;
  const told = async () =>
    JSON.stringify(await system()).match(/credits last until \d{4}-/g)?.length;
  assert.equal(await told(), 1);
  const { json: audit } = await house.call("GET", "/v1/audit?resourceType=balance");
  const warnings = audit.filter(
    ({ operation }: { operation: string }) => operation === "warnOfBalance",
  );
  assert.equal(warnings.length, 1);
  assert.match(warnings[0].detail, /^the account's credits last until /);
  assert.equal((await balance(house)).lowSince, low.lowSince);
  await credit(house, 10);
  await until(async () => !(await balance(house)).lowSince, "enough");
});

test("with nothing left Pods are stopped, locked ones too, and removed after the grace", async (t) => {
  const house = await fakeHouse(t, { protocol: { emptyGraceMs: 700 } });
  await credit(house, 5);
  const { json: pod } = await house.call("POST", "/v1/pods", { ...A40, locked: true });
  await until(podsOf(house).reached, pod.id);
  await credit(house, -5);
  const exited = await until(podsOf(house).exited, pod.id);
  assert.match(exited.lastStatusChange, /^Exited by Freehold: /);
  const why = (await house.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(why.code, "pod_no_credits");
  const empty = await balance(house);
  assert.deepEqual([empty.spendPerHr, empty.limited], [0, true]);
  assert.ok(Date.parse(empty.terminateAt) > Date.parse(empty.emptyAt));
  const start = await house.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([start.status, start.json.code], [402, "no_credits"]);
  await until(async (id) => (await house.call("GET", `/v1/pods/${id}`)).status === 404, pod.id);
});

test("credits that come in time keep what was stopped, and let it start again", async (t) => {
  const house = await fakeHouse(t);
  await credit(house, 5);
  const { json: pod } = await house.call("POST", "/v1/pods", { ...A40, volumeInGb: 20 });
  await until(podsOf(house).reached, pod.id);
  await credit(house, -6);
  await until(podsOf(house).exited, pod.id);
  await credit(house, 6);
  const started = await house.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([started.status, started.json.desiredStatus], [200, "RUNNING"]);
  await until(async () => ((await balance(house)).terminateAt === undefined ? true : null), "");
});

test("the queues of an account without credits wait, and say why", async (t) => {
  const house = await fakeHouse(t);
  const template = {
    imageName: "i",
    dockerStartCmd: ["fake-worker"],
    driver: "fake" as const,
  };
  const endpoint = await house.makeEndpoint({ template, spec: { workersMin: 1 } });
  await until(async () => {
    const { json } = await house.call("GET", `/v1/endpoints/${endpoint}/workers`);
    return json.length > 0 ? json : null;
  }, endpoint);
  await credit(house, 1);
  await credit(house, -2);
  await until(async () => {
    const { json } = await house.call("GET", `/v2/${endpoint}/health`);
    return Object.values(json.workers).every((count) => count === 0) ? true : null;
  }, endpoint);
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await house.call("GET", `/v1/why/${job.id}`)).json.code, "no_credits");
  await credit(house, 3);
  await until(async (id) => {
    const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === "COMPLETED" ? true : null;
  }, job.id);
});

test("what is no amount is refused, and the same request is counted once", async (t) => {
  const house = await fakeHouse(t);
  for (const amount of [0, "5", null, 0.0000001, 1e12, -1e12]) {
    const answer = await credit(house, amount);
    assert.deepEqual([answer.status, answer.json.code], [400, "invalid_body"], String(amount));
  }
  const once = { "idempotency-key": "k1" };
  assert.equal((await credit(house, 7.000001, once)).json.balance, 7.000001);
  assert.equal((await credit(house, 7.000001, once)).json.balance, 7.000001);
  assert.equal((await balance(house)).balance, 7.000001);
  await chargeAll(house.house.store, Date.now(), 100);
  assert.deepEqual(await house.house.store.read(unbalanced), []);
});
